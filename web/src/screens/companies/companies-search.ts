import { MAX_QUESTION_LENGTH, MAX_SORT_FIELDS } from '#src/client/limits.ts'
import { type Filter, filterText } from '#web/filters/tree.ts'
import { columnsInAddress } from '#web/views/address-columns.ts'
import type { ShownColumn } from '#web/views/column-state.ts'
import { type SimpleFilters, withSimpleFilters } from './simple-filters.ts'

/** Up to three fields as `joinSort` writes them. */
export type CompanySort = string

/** The query of the list of companies. */
export interface CompaniesSearch {
  q?: string
  /** How `q` is searched: by keyword in name and description (default), or semantically. */
  by?: 'semantic'
  /** As in the address, which may be wrong: the service checks it. */
  filter?: Filter
  sort?: CompanySort
  /** The id of a saved view. */
  view?: string
  /** Replaces the columns of the view. */
  columns?: ShownColumn[]
  /** Starts at 1. */
  page?: number
}

/** The parameters that a link to the list may contain. */
export type CompaniesLink = CompaniesSearch & SimpleFilters

const SORT_KEY = '-?[a-z][a-z0-9_.]*(?::nulls_(?:first|last))?'
const SORT = new RegExp(`^${SORT_KEY}(?:,${SORT_KEY}){0,${MAX_SORT_FIELDS - 1}}$`)

/** @param search the query of `/companies`; unknown and invalid values are dropped, except an invalid filter */
export function companiesSearch(search: Record<string, unknown>): CompaniesSearch {
  const page = Number(search.page)
  const filter = withSimpleFilters((search.filter || undefined) as Filter | undefined, search)
  const columns = columnsInAddress(search.columns)
  return {
    ...(search.q ? { q: String(search.q).slice(0, MAX_QUESTION_LENGTH) } : {}),
    ...(search.by === 'semantic' && { by: 'semantic' as const }),
    ...(filter && { filter }),
    ...(SORT.test(String(search.sort ?? '')) && { sort: String(search.sort) }),
    ...(/^\w{1,100}$/.test(String(search.view ?? '')) && { view: String(search.view) }),
    ...(columns.length > 0 && { columns }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}

export const NO_FILTERS = { filter: undefined } satisfies Partial<CompaniesSearch>

export const hasFilters = (search: CompaniesSearch): boolean => search.filter !== undefined

/** Semantic search needs a query. */
export const isSemanticSearch = ({ q, by }: CompaniesSearch): boolean =>
  by === 'semantic' && Boolean(q?.trim())

/** The keyword search, in the form that the list, the facets, and the export take. */
export const keywordsOf = (search: CompaniesSearch): { search?: string } => {
  const words = isSemanticSearch(search) ? '' : (search.q?.trim() ?? '')
  return words ? { search: words } : {}
}

/** The filter in the form that the list and the export take. */
export const filterParameterOf = ({ filter }: CompaniesSearch): { filter?: string } =>
  filter === undefined ? {} : { filter: filterText(filter) }

/** The filter and the keyword search in the form that the list and the export take. */
export const listFiltersOf = (search: CompaniesSearch) => ({
  ...filterParameterOf(search),
  ...keywordsOf(search),
})

let lastSearch: CompaniesSearch = {}

/** The latest list in this tab, for links back to it. */
export const lastCompaniesSearch = (): CompaniesSearch => lastSearch
export const rememberCompaniesSearch = (search: CompaniesSearch): void => {
  lastSearch = search
}
