import { type RawBuilder, sql } from 'kysely'
import { toSql } from '#src/platform/filter/to-sql.ts'
import { type Lookup, searchConditions } from './search-conditions.ts'
import { COUNTED_COLUMNS, isCountedTree, type Selection, treeParts } from './selection.ts'

/** The conditions on the columns that have counters. */
export function countedConditions(selection: Selection): RawBuilder<unknown>[] {
  const conditions = COUNTED_COLUMNS.flatMap((column) => {
    const values = [selection[column] ?? []].flat()
    if (values.length === 0) return []
    return [
      values.length === 1 ? sql`${sql.ref(column)} = ${values[0]}` : sql`${sql.ref(column)} = any(${values})`,
    ]
  })
  const parts = treeParts(selection).filter(isCountedTree)
  return [...conditions, ...parts.map(({ condition }) => toSql(condition))]
}

/** The conditions that no counter can answer. */
export function uncountedConditions(selection: Selection, lookup: Lookup): RawBuilder<unknown>[] {
  const { tags, owner_email, min_score, ids, search } = selection
  const conditions: RawBuilder<unknown>[] = []
  // The first condition lets PostgreSQL use the partial index.
  if (tags) conditions.push(sql`tags <> '{}' and tags && ${[tags].flat()}::text[]`)
  if (owner_email) conditions.push(sql`owner_email = any(${[owner_email].flat()})`)
  if (min_score !== undefined) conditions.push(sql`llm_score_overall >= ${min_score}`)
  if (ids) conditions.push(sql`companies.id = any(${ids.split(',')})`)
  if (search) conditions.push(...searchConditions(search, lookup))
  const parts = treeParts(selection).filter((part) => !isCountedTree(part))
  // Together, so that each field is folded once for all of them.
  if (parts.length > 0) conditions.push(toSql({ and: parts.map(({ condition }) => condition) }))
  return conditions
}

/** The conditions of all filters. */
export const companyConditions = (selection: Selection, lookup: Lookup): RawBuilder<unknown>[] => [
  ...countedConditions(selection),
  ...uncountedConditions(selection, lookup),
]

/** A cache key: equal filters have equal keys. */
export const filterKey = ({ tags, owner_email, min_score, ids, search, tree, ...counted }: Selection) =>
  JSON.stringify([
    ...COUNTED_COLUMNS.map((column) => [counted[column] ?? []].flat()),
    ...[[tags ?? []].flat(), [owner_email ?? []].flat(), min_score, ids, search, tree?.key],
  ])
