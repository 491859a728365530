import { sql } from 'kysely'
import { requireUnchanged } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput, orNotFound } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { freeKey } from '#src/platform/schema/label-key.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { definition, readDefinitions } from './custom-fields.ts'
import { type BuiltInFields, type BuiltInNames, freeLabel, requireFreeKey, reservedKeys } from './names.ts'
import { withIds } from './options.ts'
import {
  type CustomField,
  type CustomFieldEntity,
  type CustomFieldPatch,
  DEFAULT_CURRENCY,
  FIELD_READ_ONLY,
  MAX_CUSTOM_FIELDS,
  type NewCustomField,
} from './schema.ts'
import { requireEmpty, requireStillUnused, requireUnused } from './used-values.ts'

/** Makes a change of the definitions visible to all processes. Writers of values wait until it is committed. */
export const lockDefinitions = (transaction: Db) =>
  sql`update field_version set version = gen_random_uuid()`.execute(transaction)

/**
 * Creates a custom field.
 * @throws InvalidInput for a key that is not allowed, wrong options, or a currency for a type other than money; Conflict if the key or label is taken or
 *   there are too many fields
 */
export async function insertField(
  transaction: Db,
  input: NewCustomField,
  builtIn: BuiltInNames,
): Promise<CustomField> {
  await lockDefinitions(transaction)
  const others = await readOthers(transaction, input.entity)
  const taken = await takenKeys(transaction, input.entity)
  const reserved = reservedKeys(builtIn)
  if (others.length >= MAX_CUSTOM_FIELDS)
    throw new Conflict(
      `This entity already has ${MAX_CUSTOM_FIELDS} custom fields, including archived ones, which is the limit. Delete one first.`,
    )
  const id = newId('fld')
  const time = idTime(id)
  const field: CustomField = {
    id,
    entity: input.entity,
    key:
      input.key === undefined
        ? freeKey(input.label, new Set([...taken, ...reserved]))
        : requireFreeKey(input.key, taken, reserved),
    label: freeLabel(input.label, others, builtIn),
    type: input.type,
    options: withIds(input, input.options ?? [], []),
    currency: currencyOf(input, input.currency),
    required: input.required ?? false,
    archived: false,
    updated_at: time.toISOString(),
  }
  const { archived: _archived, options, ...columns } = field
  const values = { ...columns, options: JSON.stringify(options), created_at: time, updated_at: time }
  await transaction.insertInto('fields').values(values).execute()
  return field
}

export const readOthers = async (
  transaction: Db,
  entity: CustomFieldEntity,
  id?: string,
): Promise<CustomField[]> =>
  (await readDefinitions(transaction)).filter((field) => field.entity === entity && field.id !== id)

/** The keys of all fields of an entity, and of those whose values are still being removed. */
async function takenKeys(transaction: Db, entity: CustomFieldEntity): Promise<ReadonlySet<string>> {
  const rows = await transaction.selectFrom('fields').select('key').where('entity', '=', entity).execute()
  return new Set(rows.map(({ key }) => key))
}

function currencyOf({ type }: Pick<CustomField, 'type'>, currency: string | null | undefined): string | null {
  if (type === 'money') return currency ?? DEFAULT_CURRENCY
  if (currency) throw new InvalidInput('currency is only for fields of the type money.')
  return null
}

/**
 * A custom field.
 * @throws NotFound if there is no such field
 */
async function readField(db: Db, id: string): Promise<CustomField> {
  const { rows } = await sql<CustomField>`
    select ${definition} from fields where id = ${id} and deleted_at is null`.execute(db)
  return orNotFound(rows[0], 'custom field', id)
}

/** @throws NotFound */
export async function lockField(transaction: Db, id: string): Promise<CustomField> {
  await lockDefinitions(transaction)
  return readField(transaction, id)
}

/**
 * Changes a custom field.
 * @param ifMatch the If-Match header; one of its times must be the time of the last change
 * @throws NotFound if there is no such field; InvalidInput for wrong options, or a currency for a type other than money;
 *   PreconditionFailed if the field has changed since; Conflict if the label is taken, or options with values are missing
 */
export async function changeField(
  db: Db,
  id: string,
  body: CustomFieldPatch,
  builtIn: BuiltInFields,
  ifMatch?: string,
): Promise<CustomField> {
  const isAsking = body.options !== undefined && !body.confirm
  if (isAsking) {
    // Counting takes long, so writers do not wait for it.
    const { before, removed } = await plannedChange(db, await readField(db, id), body, builtIn, ifMatch)
    if (removed.length > 0) await requireUnused(db, before, removed)
  }
  return db.transaction().execute(async (transaction) => {
    const locked = await lockField(transaction, id)
    const { before, after, removed } = await plannedChange(transaction, locked, body, builtIn, ifMatch)
    await sql`
      update fields set label = ${after.label}, options = ${JSON.stringify(after.options)}::json, currency = ${after.currency},
        required = ${after.required}, removed_options = removed_options || ${removed}::text[],
        updated_at = ${after.updated_at}::timestamptz,
        archived_at = case when ${after.archived} then coalesce(archived_at, now()) end
      where id = ${id}`.execute(transaction)
    if (isAsking && removed.length > 0) await requireStillUnused(transaction, before, removed)
    return after
  })
}

interface Change {
  before: CustomField
  after: CustomField
  /** The ids of options that are missing. */
  removed: string[]
}

async function plannedChange(
  db: Db,
  before: CustomField,
  body: CustomFieldPatch,
  builtIn: BuiltInFields,
  ifMatch: string | undefined,
): Promise<Change> {
  await requireUnchanged(db, ifMatch, 'custom field', before)
  const patch = withoutReadOnly(body, FIELD_READ_ONLY)
  const others = await readOthers(db, before.entity, before.id)
  // An unchanged label stays valid, even if a built-in field has the same one now.
  const isRenamed = patch.label !== undefined && patch.label !== before.label
  const after: CustomField = {
    ...before,
    ...(isRenamed && { label: freeLabel(patch.label as string, others, builtIn[before.entity]) }),
    ...(patch.options && { options: withIds(before, patch.options, before.options) }),
    ...(patch.currency !== undefined && { currency: currencyOf(before, patch.currency) }),
    required: patch.required ?? before.required,
    archived: patch.archived ?? before.archived,
    updated_at: timeAfter(before.updated_at),
  }
  const kept = new Set(after.options.map((option) => option.id))
  const removed = before.options.map((option) => option.id).filter((option) => !kept.has(option))
  return { before, after, removed }
}

/**
 * Deletes an archived field. Its values are removed in the background.
 * @throws NotFound if there is no such field, Conflict if it is not archived, or has values without a confirmation
 */
export async function markDeleted(db: Db, id: string, isConfirmed: boolean): Promise<void> {
  if (!isConfirmed) {
    const field = await readField(db, id)
    requireArchived(field)
    // Counting takes long, so writers do not wait for it.
    await requireEmpty(db, field)
  }
  await db.transaction().execute(async (transaction) => {
    const field = await lockField(transaction, id)
    requireArchived(field)
    // An undo may have brought a value back.
    const { rows } = await sql<{ removed: string[] }>`
      update fields set deleted_at = now() where id = ${id} returning removed_options as removed`.execute(
      transaction,
    )
    if (!isConfirmed) await requireStillUnused(transaction, field, undefined, rows[0]?.removed)
  })
}

/** @throws Conflict if the field is not archived */
function requireArchived({ archived, label }: CustomField): void {
  if (!archived)
    throw new Conflict(
      `The field ${label} must be archived before it is deleted: PATCH it with archived: true.`,
    )
}
