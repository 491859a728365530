import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { withDryRun } from '#src/platform/database/dry-run.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { customName } from './changes.ts'
import { insertField, lockField, readOthers } from './definitions.ts'
import type { BuiltInNames } from './names.ts'
import { withNewOptions } from './options.ts'
import type { CustomField, NewCustomField } from './schema.ts'

type MissingField = NewCustomField & { key: string }

/**
 * The fields with these keys. Creates the missing ones; that is atomic.
 * @param isDryRun whether to create them in memory alone
 * @throws as `insertField`, but the message names the field in the mapping; Conflict if a field is archived;
 *   InvalidInput for a wrong one
 */
export async function createMissingFields(
  db: Db,
  input: readonly MissingField[],
  builtIn: BuiltInNames,
  isDryRun: boolean,
): Promise<CustomField[]> {
  const create = async (transaction: Db) => {
    const fields: CustomField[] = []
    for (const field of input) fields.push(await createMissingField(transaction, field, builtIn))
    return fields
  }
  return withDryRun((work) => db.transaction().execute(work), isDryRun, create)
}

async function createMissingField(
  transaction: Db,
  input: MissingField,
  builtIn: BuiltInNames,
): Promise<CustomField> {
  const fields = await readOthers(transaction, input.entity)
  const existing = fields.find(({ key }) => key === input.key)
  if (existing?.archived) throw new Conflict(`The custom field ${input.key} is archived.`)
  try {
    return existing ?? (await insertField(transaction, input, builtIn))
  } catch (error) {
    const position = `mapping.${customName(truncate(input.key, 60))}`
    if (error instanceof Conflict) throw new Conflict(`${position}: ${error.message}`)
    if (error instanceof InvalidInput) throw new InvalidInput(`${position}: ${error.message}`)
    throw error
  }
}

/**
 * Adds options with these labels to a select or multi_select, up to the limit.
 * @throws NotFound if the field was deleted, InvalidInput for labels that are not allowed
 */
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
