import { type RawBuilder, sql } from 'kysely'
import type { CustomField, CustomFieldEntity } from './schema.ts'

const TABLES = { company: 'companies', deal: 'dealflow', person: 'people' } as const

export const tableOf = (entity: CustomFieldEntity): RawBuilder<unknown> => sql.table(TABLES[entity])
export const tableName = (entity: CustomFieldEntity): string => TABLES[entity]

/** The value as JSON. Keys are literals, so that the planner matches the expressions of the indexes. */
const json = (key: string) => sql`(custom -> ${sql.lit(key)})`
const text = (key: string) => sql`(custom ->> ${sql.lit(key)})`

type Typed = Pick<CustomField, 'key' | 'type'>

/** The value in its own type, null if empty. Indexes have the same expression. */
export function customValue({ key, type }: Typed): RawBuilder<unknown> {
  switch (type) {
    case 'number':
    case 'money':
      return sql`(${json(key)})::double precision`
    case 'boolean':
      return sql`(${json(key)})::boolean`
    case 'date':
      // Unlike a cast, this does not depend on a setting, so it can be indexed.
      return sql`make_date(left(${text(key)}, 4)::int, substr(${text(key)}, 6, 2)::int, substr(${text(key)}, 9, 2)::int)`
    case 'multi_select':
      return json(key)
    default:
      return sql`${text(key)} collate "C"`
  }
}

/** Text as it is sorted: without case and accents. */
export const foldedCustomValue = ({ key }: Typed): RawBuilder<unknown> =>
  sql`left(fold_text(${text(key)}), 200)`

/** The options of a multi_select as JSON; never null. */
export const customOptions = ({ key }: Typed): RawBuilder<unknown> => sql`coalesce(${json(key)}, '[]'::jsonb)`

/** The first option of a multi_select, null if it has none. */
export const firstOption = ({ key }: Typed): RawBuilder<unknown> => sql`(${json(key)} ->> 0)`

/** Whether a multi_select has one of these options; never null. */
export const hasAnyOption = (field: Typed, ids: readonly string[]): RawBuilder<unknown> =>
  sql`(${customOptions(field)} ?| ${ids}::text[])`

/** Whether a record has a value of the field, or one of these options. */
export function hasValue(field: Typed, options?: readonly string[]): RawBuilder<unknown> {
  if (!options) return sql`custom ? ${field.key}`
  return field.type === 'multi_select'
    ? hasAnyOption(field, options)
    : sql`${customValue(field)} = any(${options}::text[])`
}
