import { sql } from 'kysely'
import type { CustomFieldEntity, CustomValues } from '#src/features/fields/index.ts'
import { CustomFields, isValidValue } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'

/** The custom fields of an entity, which stay as they are until the transaction ends. */
export const lockFields = (transaction: Db, entity: CustomFieldEntity) =>
  new CustomFields(transaction).lock(transaction, entity)

const TABLES = { company: 'companies', deal: 'dealflow' } as const

/** Removes the values of restored records that no field allows any more: fields may have changed during their time in the trash. */
export async function dropForbiddenValues(
  transaction: Db,
  entity: CustomFieldEntity,
  ids: readonly string[],
): Promise<void> {
  const table = sql.table(TABLES[entity])
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
