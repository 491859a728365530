import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { MAX_FACET_VALUES } from '#src/client/limits.ts'
import { strings } from '#strings/companies.ts'
import type { FacetChoice } from '#web/filters/facet-choice.ts'
import { foldText } from '#web/format/folded-text.ts'
import { formatNumber } from '#web/format/format.ts'
import classes from './facets.module.css'

/** The number of values shown at first. Longer lists get a search box. */
const INITIAL_VALUES = 8

export interface FacetValue {
  /** null: companies without a value. */
  value: string | null
  label: string
  /** undefined if unknown: the chosen value is not among the most frequent. */
  count: number | undefined
}

interface FacetListProps {
  title: string
  values: FacetValue[]
  choice: FacetChoice
  choose: (choice: FacetChoice) => void
}

/** The values of one field, with counts. Any number of them can be chosen. */
export function FacetList({ title, values, choice, choose }: FacetListProps) {
  const [filter, setFilter] = useState('')
  const [isExpanded, setIsExpanded] = useState(false)
  const heading = useId()
  const isChosen = ({ value }: FacetValue) =>
    value === null ? choice.isEmptyChosen : choice.values.includes(value)
  const toggle = (facet: FacetValue) => choose(toggled(choice, facet.value))
  const others = values.filter((value) => !isChosen(value))
  const folded = foldText(filter.trim())
  const found = folded ? others.filter(({ label }) => foldText(label).includes(folded)) : others
  const isCut = values.filter(({ count }) => count !== undefined).length >= MAX_FACET_VALUES
  const shown = isExpanded || folded ? found : found.slice(0, INITIAL_VALUES)
  return (
    <Stack gap={4} component="section" aria-labelledby={heading}>
      <Text id={heading} component="h2" size="sm" fw={600}>
        {title}
      </Text>
      {values.filter(isChosen).map((facet) => (
        <FacetButton key={facet.value} facet={facet} isChosen toggle={toggle} />
      ))}
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
        {shown.map((facet) => (
          <FacetButton key={facet.value} facet={facet} isChosen={false} toggle={toggle} />
        ))}
      </div>
      {values.length === 0 && (
        <Text size="xs" c="dimmed">
          {strings.noValues}
        </Text>
      )}
      {folded && found.length === 0 && (
        <Text size="xs" c="dimmed">
          {isCut ? strings.mostFrequent(MAX_FACET_VALUES) : strings.noFacetMatch}
        </Text>
      )}
      {isCut && isExpanded && !folded && (
        <Text size="xs" c="dimmed">
          {strings.mostFrequent(MAX_FACET_VALUES)}
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

/** The choice with a value added or removed. */
function toggled(choice: FacetChoice, value: string | null): FacetChoice {
  if (value === null) return { ...choice, isEmptyChosen: !choice.isEmptyChosen }
  const others = choice.values.filter((other) => other !== value)
  return { ...choice, values: others.length < choice.values.length ? others : [...choice.values, value] }
}

interface FacetButtonProps {
  facet: FacetValue
  isChosen: boolean
  toggle: (facet: FacetValue) => void
}

/** A value with its count, as a button that selects or deselects it. */
export function FacetButton({ facet, isChosen, toggle }: FacetButtonProps) {
  const { value, label, count } = facet
  return (
    <button
      type="button"
      className={classes.facet}
      data-empty={value === null || undefined}
      aria-pressed={isChosen}
      onClick={() => toggle(facet)}
      title={label}
    >
      <span className={classes.facetLabel} dir="auto">
        {label}
      </span>
      {count !== undefined && <span>{formatNumber(count)}</span>}
      {isChosen && <IconX size={14} aria-hidden />}
    </button>
  )
}
