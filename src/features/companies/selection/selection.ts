import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Fields, FilterField } from '#src/platform/filter/fields.ts'
import { type FilterCaller, parseCallersFilter } from '#src/platform/filter/query.ts'
import { type ParsedSortKey, parseSort, parseSortText } from '#src/platform/filter/sort.ts'
import { type Condition, filterOf, type ParsedFilter, parseFilterText } from '#src/platform/filter/tree.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { readCompanyFields } from '../fields.ts'
import { type CompanyFilters, type CompanyQuery, DEFAULT_SORT } from '../filters-schema.ts'
import type { CompanyListRequest } from '../list/query-schema.ts'

/** The columns that have counters. */
export const COUNTED_COLUMNS = ['status', 'country_code', 'industry_category', 'thesis_id'] as const
export type CountedColumn = (typeof COUNTED_COLUMNS)[number]

/** Which companies to list. */
export type Selection = Omit<CompanyFilters, 'filter'> & { tree?: ParsedFilter | undefined }

/** A page of a list. */
export type Listing = Selection & Partial<PageRequest> & { sort?: ParsedSortKey[] }

/**
 * Checks the filter of a request.
 * @param filter a tree, or its JSON text
 * @throws InvalidInput that names the condition that is wrong
 */
export async function parseSelection<Query extends object>(
  db: Db,
  caller: FilterCaller,
  { filter, ...query }: Query & { filter?: unknown },
): Promise<Omit<Query, 'filter'> & Selection> {
  const simple = await inAnyCase(db, query as Omit<Query, 'filter'>)
  return isGiven(filter) ? await withTree(simple, filter, await readCompanyFields(db), caller) : simple
}

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function parseListQuery(
  db: Db,
  caller: FilterCaller,
  { filter, sort, ...input }: CompanyQuery | CompanyListRequest,
): Promise<Listing> {
  const query = await inAnyCase(db, input)
  // Otherwise the custom fields are read, which takes a statement.
  if (!isGiven(filter) && (!isGiven(sort) || sort === DEFAULT_SORT)) return query
  const fields = await readCompanyFields(db)
  const keys = typeof sort === 'string' ? parseSortText(sort, fields) : parseSort(sort ?? [], fields)
  return { ...(isGiven(filter) ? await withTree(query, filter, fields, caller) : query), sort: keys }
}

/**
 * Replaces industries by their spellings that differ in case alone, so that the index and the counters answer for them.
 * Other simple filters are ids, or words that are stored in one spelling.
 */
async function inAnyCase<Query extends object>(db: Db, query: Query): Promise<Query> {
  const { industry_category } = query as Selection
  if (industry_category === undefined) return query
  const input = [industry_category].flat()
  const { rows } = await sql<{ value: string }>`
    with counted as materialized (
      select industry_category as value from company_counts
      union select industry_category from company_count_deltas)
    select value from counted
    where fold_text(value) = any(array(select fold_text(unnest(${input}::text[])))) order by value`.execute(
    db,
  )
  // Folding ignores accents as well, which the filter does not.
  const wanted = new Set(input.map((value) => value.toLowerCase()))
  const spellings = rows.map(({ value }) => value).filter((value) => wanted.has(value.toLowerCase()))
  return spellings.length > 0 ? { ...query, industry_category: spellings } : query
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

async function withTree<Query extends object>(
  query: Query,
  filter: unknown,
  fields: Fields,
  caller: FilterCaller,
): Promise<Query & Selection> {
  const tree = typeof filter === 'string' ? parseFilterText(filter) : filter
  const { condition } = await parseCallersFilter(tree, fields, caller)
  return withSimpleFilters(query, condition)
}

/**
 * Turns the conditions that simple filters can express into simple filters, so that they use the counters, and facets can
 * leave them out.
 */
function withSimpleFilters<Query extends Selection>(query: Query, condition: Condition): Query & Selection {
  const simple: Partial<Record<CountedColumn, string[]>> = {}
  const others = partsOf(condition).filter((part) => {
    if (!('op' in part) || (part.op !== 'eq' && part.op !== 'in')) return true
    const column = COUNTED_COLUMNS.find((name) => name === part.field.name)
    if (!column || query[column] !== undefined || simple[column]) return true
    simple[column] = part.values as string[]
    return false
  })
  return { ...query, ...simple, tree: treeOf(others) }
}

/** The conditions that all have to be met. */
const partsOf = (condition: Condition): Condition[] =>
  'and' in condition ? condition.and.flatMap(partsOf) : [condition]

/** The parts of the tree that all have to be met. */
export const treeParts = ({ tree }: Selection): ParsedFilter[] =>
  tree ? partsOf(tree.condition).map(filterOf) : []

function treeOf(parts: Condition[]): ParsedFilter | undefined {
  const [first, ...others] = parts
  return first && filterOf(others.length > 0 ? { and: parts } : first)
}

const isOnlyOn = (part: ParsedFilter, name: string): boolean =>
  [...part.fields].every((field) => field.name === name)

/** The simple filters that have another name than their field. */
const SIMPLE_NAMES: Partial<Record<string, keyof Selection>> = { llm_score_overall: 'min_score' }

/** The selection without what it demands of one field alone: the facet of the field shows its other values, too. */
export const withoutField = (selection: Selection, name: string): Selection => ({
  ...selection,
  [SIMPLE_NAMES[name] ?? name]: undefined,
  tree: treeOf(
    treeParts(selection)
      .filter((part) => !isOnlyOn(part, name))
      .map(({ condition }) => condition),
  ),
})

/** What the selection demands of one field alone. */
export function onlyField(selection: Selection, name: string): Selection {
  const simple = SIMPLE_NAMES[name] ?? (name as keyof Selection)
  return {
    ...(simple in selection && { [simple]: selection[simple] }),
    tree: treeOf(
      treeParts(selection)
        .filter((part) => isOnlyOn(part, name))
        .map(({ condition }) => condition),
    ),
  }
}

const isCounted = ({ name }: FilterField) => (COUNTED_COLUMNS as readonly string[]).includes(name)

/** Whether the counters can answer the tree. */
export const isCountedTree = ({ fields }: ParsedFilter): boolean => [...fields].every(isCounted)

/** Whether the matches depend on other tables, so that a cached total cannot tell when it is outdated. */
export const readsOtherTables = ({ tree }: Selection): boolean =>
  tree !== undefined && [...tree.fields].some((field) => field.readsOtherTables)
