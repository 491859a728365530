import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { Conflict } from '#src/platform/errors.ts'
import { insertField, lockField, readOthers } from './definitions.ts'
import type { BuiltInNames } from './names.ts'
import { withNewOptions } from './options.ts'
import type { CustomField, NewCustomField } from './schema.ts'

/**
 * The field with this key, which is created if there is none.
 * @param isDryRun whether to create it in memory alone
 * @throws as `insertField`, and Conflict if the field is archived
 */
export async function createMissingField(
  db: Db,
  given: NewCustomField & { key: string },
  builtIn: BuiltInNames,
  isDryRun: boolean,
): Promise<CustomField> {
  const work = db.transaction().execute(async (transaction) => {
    const fields = await readOthers(transaction, given.entity)
    const existing = fields.find(({ key }) => key === given.key)
    if (existing?.archived) throw new Conflict(`The custom field ${given.key} is archived.`)
    const field = existing ?? (await insertField(transaction, given, builtIn))
    if (isDryRun) throw new DryRun(field)
    return field
  })
  return work.catch((error) => {
    if (error instanceof DryRun) return error.field
    throw error
  })
}

class DryRun extends Error {
  readonly field: CustomField

  constructor(field: CustomField) {
    super('The transaction of a dry run is rolled back.')
    this.field = field
  }
}

/** Adds options with these labels to a select or multi_select, up to the limit. */
export const addOptions = (db: Db, id: string, labels: readonly string[]): Promise<CustomField> =>
  db.transaction().execute(async (transaction) => {
    const before = await lockField(transaction, id)
    const field = { ...withNewOptions(before, labels), updated_at: timeAfter(before.updated_at) }
    await sql`
      update fields set options = ${JSON.stringify(field.options)}::json, updated_at = ${field.updated_at}::timestamptz where id = ${id}`.execute(
      transaction,
    )
    return field
  })
