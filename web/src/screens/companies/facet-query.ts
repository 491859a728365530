import { type FacetChoice, minimumOf, NOTHING, readChoice, withChoice } from '#web/filters/facet-choice.ts'
import { allOf, type Filter, filterText, partsOf } from '#web/filters/tree.ts'
import { type CompaniesSearch, keywordsOf } from './companies-search.ts'

/** The fields that every company has, in the order of their facets. */
export const FACETS = [
  'status',
  'country_code',
  'industry_category',
  'tags',
  'thesis_id',
  'owner_email',
] as const
type Facet = (typeof FACETS)[number]

export const SCORE = 'llm_score_overall'
/** The largest number of values of a simple filter. */
const MAX_SIMPLE_VALUES = 100

/**
 * The filters in the form that facets take. Choices become simple filters: a facet ignores the one on its own field, so
 * that it shows the other values too.
 */
export function facetFiltersOf(search: CompaniesSearch) {
  const simple: Partial<Record<Facet, string[]>> = {}
  const others: Filter[] = []
  let minScore: number | undefined
  for (const part of partsOf(search.filter)) {
    const facet = FACETS.find((field) => !simple[field] && isSimple(readChoice(part, field)))
    const minimum = minimumOf(part, SCORE)
    if (facet) simple[facet] = [...(readChoice(part, facet)?.values ?? [])]
    else if (minScore === undefined && Number.isInteger(minimum)) minScore = minimum
    else others.push(part)
  }
  const rest = allOf(others)
  return {
    ...simple,
    ...(minScore !== undefined && { min_score: minScore }),
    ...(rest !== undefined && { filter: filterText(rest) }),
    ...keywordsOf(search),
  }
}

const isSimple = (choice: FacetChoice | undefined): boolean =>
  choice !== undefined && !choice.isEmptyChosen && choice.values.length <= MAX_SIMPLE_VALUES

/**
 * The fields whose choice cannot be a simple filter, such as "No value", each with the search that counts its values:
 * without its own choice.
 */
export const separateFacets = (search: CompaniesSearch, fields: readonly string[]) =>
  fields
    .filter((field) => {
      const choices = partsOf(search.filter).flatMap((part) => readChoice(part, field) ?? [])
      return choices.length > 0 && (field.startsWith('custom.') || !choices.every(isSimple))
    })
    .map((field) => ({ field, search: { ...search, filter: withChoice(search.filter, field, NOTHING) } }))
