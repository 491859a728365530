import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { customKey } from './changes.ts'
import { CustomFields } from './custom-fields.ts'
import type { CustomFieldEntity, CustomValues } from './schema.ts'
import { tableOf } from './sql.ts'
import { isValidValue } from './values.ts'

/** The custom fields of an entity, which stay as they are until the transaction ends. */
const lockFields = (transaction: Db, entity: CustomFieldEntity) =>
  new CustomFields(transaction).lock(transaction, entity)

/** Removes the values of restored records that fields no longer allow, since fields may have changed in the meantime. */
export async function dropForbiddenValues(
  transaction: Db,
  entity: CustomFieldEntity,
  ids: readonly string[],
): Promise<void> {
  const table = tableOf(entity)
  const { rows } = await sql<{ id: string; custom: CustomValues }>`
    select id, custom from ${table} where id = any(${ids}) and custom <> '{}' order by id`.execute(
    transaction,
  )
  if (rows.length === 0) return
  const fields = await lockFields(transaction, entity)
  for (const { id, custom } of rows) {
    const forbidden = Object.keys(custom).filter((key) => {
      const field = fields.get(key)
      return !field || !isValidValue(field, custom[key])
    })
    if (forbidden.length > 0)
      await sql`update ${table} set custom = custom - ${forbidden}::text[] where id = ${id}`.execute(
        transaction,
      )
  }
}

/** Of the fields that are called `custom.<key>`, those whose definition is deleted. */
export async function findDeletedFields(
  transaction: Db,
  entity: CustomFieldEntity,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const custom = [...names].filter((name) => customKey(name) !== undefined)
  if (custom.length === 0) return new Set()
  const fields = await lockFields(transaction, entity)
  return new Set(custom.filter((name) => !fields.has(customKey(name) as string)))
}

/** The previous custom values, by id and field name, that their fields no longer allow. */
export async function findForbiddenValues(
  transaction: Db,
  entity: CustomFieldEntity,
  previous: ReadonlyMap<string, Record<string, unknown>>,
): Promise<{ id: string; field: string; reason: 'value_not_allowed' }[]> {
  const values = [...previous].flatMap(([id, record]) =>
    Object.entries(record).flatMap(([field, value]) => {
      const key = customKey(field)
      return key === undefined || value === null ? [] : [{ id, field, key, value }]
    }),
  )
  if (values.length === 0) return []
  const fields = await lockFields(transaction, entity)
  return values
    .filter(({ key, value }) => {
      const field = fields.get(key)
      return !field || !isValidValue(field, value)
    })
    .map(({ id, field }) => ({ id, field, reason: 'value_not_allowed' }))
}
