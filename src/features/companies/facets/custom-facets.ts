import { type RawBuilder, sql } from 'kysely'
import type { CustomField } from '#src/features/fields/index.ts'
import { type CustomFieldMap, customName } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { type FacetCounts, type ListCaches, readVersion, version } from '../list/cache.ts'
import { companyConditions, filterKey } from '../selection/conditions.ts'
import { readsOtherTables, type Selection, withoutField } from '../selection/selection.ts'
import { type CompanyFacets, MAX_FACET_VALUES } from './facets-schema.ts'

type Counts = Record<string, { value: string | null; count: number }[]>

/**
 * The most frequent values of custom fields, in the companies that match the filters. The counts are cached until a
 * company changes.
 * @throws InvalidInput for a field that is unknown, or has no fixed values
 */
export async function readCustomFacets(
  db: Db,
  caches: ListCaches,
  filters: Selection,
  keys: readonly string[],
  fields: CustomFieldMap,
): Promise<CompanyFacets['custom']> {
  const counted = [...new Set(keys)].map((key) => requireChoice(fields, key))
  if (counted.length === 0) return {}
  const cacheKey = JSON.stringify([filterKey(filters), counted.map(({ id }) => id)])
  const count = () => countValues(db, filters, counted)
  const { facets } = readsOtherTables(filters)
    ? await count()
    : await caches.facets.get(cacheKey, await readVersion(db), count)
  const counts: Counts = JSON.parse(facets)
  return Object.fromEntries(
    counted.map((field) => [field.key, (counts[field.key] ?? []).map((facet) => withLabel(field, facet))]),
  )
}

function requireChoice(fields: CustomFieldMap, key: string): CustomField {
  const field = fields.get(key)
  if (field && ['select', 'multi_select', 'boolean'].includes(field.type)) return field
  throw new InvalidInput(
    `custom must be keys of custom fields of the types select, multi_select, or boolean, not ${key.slice(0, 60)}.`,
  )
}

async function countValues(db: Db, filters: Selection, fields: CustomField[]): Promise<FacetCounts> {
  const facets = fields.map(({ key, type }) => {
    const where = all(companyConditions(withoutField(filters, customName(key)), 'index'))
    return sql`${key}::text, (select coalesce(json_agg(facet), '[]') from (
      select value, count(*) from companies ${valuesOf(key, type)} where ${where}
      group by 1 order by count desc, value limit ${sql.lit(MAX_FACET_VALUES)}) facet)`
  })
  const { rows } = await sql<FacetCounts>`
    select json_build_object(${sql.join(facets)})::text as facets, ${version} as version`.execute(db)
  return rows[0] as FacetCounts
}

/** Joins a row for each value, or one with null if there is none. */
const valuesOf = (key: string, type: CustomField['type']): RawBuilder<unknown> =>
  type === 'multi_select'
    ? sql`left join lateral jsonb_array_elements_text(custom -> ${sql.lit(key)}) element(value) on true`
    : sql`cross join lateral (select custom ->> ${sql.lit(key)} as value) single`

function withLabel({ options }: CustomField, { value, count }: Counts[string][number]) {
  const label = options.find(({ id }) => id === value)?.label ?? value
  return { value, label, count }
}
