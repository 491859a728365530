import { Button, Group, Pill, UnstyledButton } from '@mantine/core'
import { strings } from '#strings/filters.ts'
import classes from './filters.module.css'
import { describePart } from './sentence.ts'
import { type ChangeFilter, type Filter, leavesOf, partsOf, withPart } from './tree.ts'
import { type FilterEntity, useFields } from './use-fields.ts'
import { useNames } from './use-names.ts'

interface FilterChipsProps {
  entity: FilterEntity
  value: Filter | undefined
  onChange: ChangeFilter
  /** Opens the builder at a condition. */
  edit: (index: number) => void
}

/** The active filters as fragments of a sentence. Each can be edited and removed. */
export function FilterChips({ value, ...rest }: FilterChipsProps) {
  return value && <Chips value={value} {...rest} />
}

function Chips({ entity, value, onChange, edit }: FilterChipsProps & { value: Filter }) {
  const fields = useFields(entity)
  const text = JSON.stringify(value)
  const hasUsers = [...fields.values()].some(
    ({ name, type }) => type === 'user' && text.includes(JSON.stringify(name)),
  )
  const companies = leavesOf(value)
    .filter(({ field }) => field === 'company_id')
    .flatMap((leaf) => [leaf.value ?? []].flat().map(String))
  const names = useNames(entity, hasUsers, companies)
  const change = (filter: Filter | undefined) => onChange(filter, { replace: false })
  return (
    <Group gap={6} component="section" aria-label={strings.activeFilters}>
      {partsOf(value).map((part, index) => {
        const words = describePart(part, names)
        return (
          <Pill
            // biome-ignore lint/suspicious/noArrayIndexKey: it keeps the focus while its condition changes
            key={index}
            size="md"
            className={classes.chip}
            withRemoveButton
            onRemove={() => change(withPart(value, index))}
            removeButtonProps={{ 'aria-label': strings.remove(words), tabIndex: 0, 'aria-hidden': false }}
          >
            <UnstyledButton className={classes.chipText} title={words} onClick={() => edit(index)}>
              <bdi>{words}</bdi>
            </UnstyledButton>
          </Pill>
        )
      })}
      <Button variant="subtle" size="compact-sm" onClick={() => change(undefined)}>
        {strings.clear}
      </Button>
    </Group>
  )
}
