import { Skeleton, Stack, Text } from '@mantine/core'
import { InvalidRequest } from '#src/client/errors.ts'
import { strings } from '#strings/companies.ts'
import { strings as fieldStrings } from '#strings/fields.ts'
import { errorMessage, isAddressTooLong } from '#web/api/error-message.ts'
import {
  choiceOf,
  type FacetChoice,
  minimumOf,
  NOTHING,
  withChoice,
  withMinimum,
} from '#web/filters/facet-choice.ts'
import { fieldLabel } from '#web/filters/sentence.ts'
import { useNames } from '#web/filters/use-names.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { type CompaniesSearch, isSemanticSearch } from '../../companies-search.ts'
import { FACETS, SCORE } from '../../facet-query.ts'
import type { ChangeCompanies } from '../../hooks/use-company-list.ts'
import { useFacets } from '../../hooks/use-facets.ts'
import { FacetList, type FacetValue } from './facet-list.tsx'
import { ScoreFacet } from './score-facet.tsx'

interface FacetPanelProps {
  search: CompaniesSearch
  change: ChangeCompanies
}

/** The most frequent values of some fields, with counts, to choose from. */
export function FacetPanel({ search, change }: FacetPanelProps) {
  const { counts, countsOf, scores, custom, error, retry } = useFacets(search)
  const hasOwners = counts?.owner_email.some(({ value }) => value !== null) ?? false
  const { fields, nameOf } = useNames('company', hasOwners)
  // The list can send a filter that is too long for an address.
  if (isAddressTooLong(error))
    return (
      <Text size="xs" c="dimmed" role="status">
        {errorMessage(error)}
      </Text>
    )
  // The list explains a filter that the service rejects.
  if (error instanceof InvalidRequest) return null
  if (!counts || !scores) return error ? <ErrorState error={error} retry={retry} /> : <FacetSkeleton />

  const list = (field: string) => {
    const choice = choiceOf(search.filter, field)
    const isBoolean = fields.get(field)?.type === 'boolean'
    return (
      <FacetList
        key={field}
        title={fieldLabel(field, fields)}
        values={withChosen(countsOf(field), choice).map(({ value, count }) => ({
          value,
          label: value === null ? strings.withoutValue : isBoolean ? yesOrNo(value) : nameOf(field, value),
          count,
        }))}
        choice={choice}
        choose={(next) => change({ filter: withChoice(search.filter, field, next, isBoolean) })}
      />
    )
  }
  const minScore = minimumOf(search.filter, SCORE)
  const { isEmptyChosen: isUnscoredChosen } = choiceOf(search.filter, SCORE)
  // A minimum and "Not scored" exclude each other.
  const scored = isUnscoredChosen ? withChoice(search.filter, SCORE, NOTHING) : search.filter
  const [status, ...others] = FACETS
  return (
    <Stack gap="lg">
      {isSemanticSearch(search) && (
        <Text size="xs" c="dimmed">
          {strings.countsHelp}
        </Text>
      )}
      {list(status)}
      <ScoreFacet
        {...scores}
        minScore={minScore ?? 0}
        choose={(score) =>
          change({ filter: withMinimum(scored, SCORE, score) }, { replace: minScore !== undefined })
        }
        isUnscoredChosen={isUnscoredChosen}
        toggleUnscored={() => {
          const rest = withMinimum(search.filter, SCORE, undefined)
          change({ filter: withChoice(rest, SCORE, { ...NOTHING, isEmptyChosen: !isUnscoredChosen }) })
        }}
      />
      {others.map(list)}
      {custom.map(({ name }) => list(name))}
    </Stack>
  )
}

const yesOrNo = (value: string): string => (value === 'true' ? fieldStrings.yes : fieldStrings.no)

type Counted = Pick<FacetValue, 'value'> & { count: number | undefined }

/** Adds chosen values that are not among the most frequent. */
function withChosen(counted: readonly Counted[], { values, isEmptyChosen }: FacetChoice): Counted[] {
  const chosen = [...values, ...(isEmptyChosen ? [null] : [])]
  const missing = chosen.filter((value) => !counted.some((other) => other.value === value))
  return [...missing.map((value) => ({ value, count: undefined })), ...counted]
}

function FacetSkeleton() {
  return (
    <Stack gap="lg" aria-hidden>
      {[4, 3, 8, 8].map((lines, facet) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
        <Stack key={facet} gap={8}>
          <Skeleton height={16} width="50%" />
          {Array.from({ length: lines }, (_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
            <Skeleton key={line} height={20} />
          ))}
        </Stack>
      ))}
    </Stack>
  )
}
