import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { strings } from '#strings/companies.ts'
import { formatNumber } from '#web/words/format.ts'
import classes from './facets.module.css'
import { foldText } from './folded-text.ts'

/** The number of values shown at first. Longer lists get a search box. */
const INITIAL_VALUES = 8

export interface FacetValue {
  /** null: companies without a value. */
  value: string | null
  label: string
  /** undefined: unknown, for a chosen value that is not among the most frequent. */
  count: number | undefined
}

interface FacetListProps {
  title: string
  values: FacetValue[]
  chosen: string | undefined
  choose: (value: string | undefined) => void
}

/** The values of one field, with counts. One can be chosen. */
export function FacetList({ title, values, chosen, choose }: FacetListProps) {
  const [filter, setFilter] = useState('')
  const [isExpanded, setIsExpanded] = useState(false)
  const heading = useId()
  const selected = values.find(({ value }) => value === chosen && value !== null)
  const others = values.filter((value) => value !== selected)
  const folded = foldText(filter.trim())
  const found = folded ? others.filter(({ label }) => foldText(label).includes(folded)) : others
  const shown = isExpanded || folded ? found : found.slice(0, INITIAL_VALUES)
  return (
    <Stack gap={4} component="section" aria-labelledby={heading}>
      <Text id={heading} component="h2" size="sm" fw={600}>
        {title}
      </Text>
      {selected && (
        <button
          type="button"
          className={classes.facet}
          aria-pressed="true"
          onClick={() => choose(undefined)}
          title={selected.label}
        >
          <span className={classes.facetLabel} dir="auto">
            {selected.label}
          </span>
          {selected.count !== undefined && <span>{formatNumber(selected.count)}</span>}
          <IconX size={14} aria-hidden />
        </button>
      )}
      {values.length > INITIAL_VALUES && (
        <TextInput
          size="xs"
          aria-label={strings.findIn(title)}
          placeholder={strings.findIn(title)}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <div>
        {shown.map(({ value, label, count }) =>
          value === null ? (
            <div key="" className={classes.facet} data-plain>
              <span className={classes.facetLabel}>{label}</span>
              <span>{count !== undefined && formatNumber(count)}</span>
            </div>
          ) : (
            <button
              key={value}
              type="button"
              className={classes.facet}
              aria-pressed="false"
              onClick={() => choose(value)}
              title={label}
            >
              <span className={classes.facetLabel} dir="auto">
                {label}
              </span>
              <span>{count !== undefined && formatNumber(count)}</span>
            </button>
          ),
        )}
      </div>
      {values.length === 0 && (
        <Text size="xs" c="dimmed">
          {strings.noValues}
        </Text>
      )}
      {folded && found.length === 0 && (
        <Text size="xs" c="dimmed">
          {strings.noFacetMatch}
        </Text>
      )}
      {!folded && found.length > INITIAL_VALUES && (
        <Button
          variant="subtle"
          size="compact-xs"
          justify="flex-start"
          px={8}
          onClick={() => setIsExpanded(!isExpanded)}
          aria-expanded={isExpanded}
        >
          {isExpanded ? strings.showFewer : strings.showMore(found.length - INITIAL_VALUES)}
        </Button>
      )}
    </Stack>
  )
}
