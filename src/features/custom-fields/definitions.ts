import { sql } from 'kysely'
import { requireUnchanged } from '#src/features/activity/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { Conflict, found, InvalidInput } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { shown } from '#src/platform/schema/describe-fault.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { definition, readDefinitions } from './custom-fields.ts'
import { withIds } from './options.ts'
import {
  type CustomField,
  type CustomFieldEntity,
  type CustomFieldPatch,
  DEFAULT_CURRENCY,
  FIELD_KEY_PATTERN,
  FIELD_READ_ONLY,
  MAX_CUSTOM_FIELDS,
  MAX_FIELD_KEY_LENGTH,
  type NewCustomField,
} from './schema.ts'
import { hasValue, tableOf } from './sql.ts'
import { foldLabel } from './values.ts'

/** Names that filters, exports, or JavaScript give another meaning. */
const RESERVED = [
  'id',
  'custom',
  'tags',
  'owner_email',
  'thesis_code',
  'enriched_data',
  'constructor',
  'prototype',
]

const KEY = new RegExp(FIELD_KEY_PATTERN)

/** Makes the change visible to all processes, and keeps writers of values waiting until it is committed. */
const lockDefinitions = (transaction: Db) =>
  sql`update field_version set version = gen_random_uuid()`.execute(transaction)

/**
 * Creates a custom field.
 * @param builtIn the names of the entity's built-in fields, which no key may have
 * @throws InvalidInput for a key that is not allowed, or options that are wrong; Conflict if the key or label is taken or
 *   there are too many fields
 */
export async function insertField(
  transaction: Db,
  given: NewCustomField,
  builtIn: readonly string[],
): Promise<CustomField> {
  await lockDefinitions(transaction)
  const others = await readOthers(transaction, given.entity)
  const taken = await takenKeys(transaction, given.entity)
  const reserved = new Set([...RESERVED, ...builtIn])
  if (others.length >= MAX_CUSTOM_FIELDS)
    throw new Conflict(
      `This entity already has ${MAX_CUSTOM_FIELDS} custom fields, including archived ones, which is the limit. Delete one first.`,
    )
  const id = newId('fld')
  const time = idTime(id)
  const field: CustomField = {
    id,
    entity: given.entity,
    key:
      given.key === undefined
        ? freeKey(given.label, new Set([...taken, ...reserved]))
        : requireFreeKey(given.key, taken, reserved),
    label: freeLabel(given.label, others),
    type: given.type,
    options: withIds(given, given.options ?? [], []),
    currency: currencyOf(given, given.currency),
    required: given.required ?? false,
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

function requireFreeKey(key: string, taken: ReadonlySet<string>, reserved: ReadonlySet<string>): string {
  if (!KEY.test(key) || key.length > MAX_FIELD_KEY_LENGTH)
    throw new InvalidInput(
      `key must be a lower_snake_case word of up to ${MAX_FIELD_KEY_LENGTH} characters, not ${shown(key)}.`,
    )
  if (reserved.has(key))
    throw new InvalidInput(`key must not be the name of a built-in field, such as ${key}.`)
  if (taken.has(key))
    throw new Conflict(`key must be unique: another custom field has or had the key ${key}.`)
  return key
}

/** A key made of the label: "YC Batch" becomes yc_batch, or yc_batch_2 if that is taken. */
export function freeKey(label: string, taken: ReadonlySet<string>): string {
  const word = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const key = (/^[a-z]/.test(word) ? word : word ? `field_${word}` : 'field').slice(
    0,
    MAX_FIELD_KEY_LENGTH - 4,
  )
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? key : `${key}_${n}`
    if (!taken.has(candidate)) return candidate
  }
}

function freeLabel(label: string, others: readonly CustomField[]): string {
  const other = others.find((field) => foldLabel(field.label) === foldLabel(label))
  if (other) throw new Conflict(`label must be unique: the field ${other.id} has the label ${other.label}.`)
  return label.trim()
}

function currencyOf({ type }: Pick<CustomField, 'type'>, currency: string | null | undefined): string | null {
  if (type === 'money') return currency ?? DEFAULT_CURRENCY
  if (currency) throw new InvalidInput('currency is only for fields of the type money.')
  return null
}

export async function lockField(transaction: Db, id: string): Promise<CustomField> {
  await lockDefinitions(transaction)
  const { rows } = await sql<CustomField>`
    select ${definition} from fields where id = ${id} and deleted_at is null`.execute(transaction)
  return found(rows[0], 'custom field', id)
}

/**
 * Changes a custom field.
 * @param ifMatch the If-Match header; one of its times must be the time of the last change
 * @throws NotFound, InvalidInput for wrong options; PreconditionFailed if the field has changed since; Conflict if the
 *   label is taken, or options with values are missing
 */
export async function changeField(
  transaction: Db,
  id: string,
  body: CustomFieldPatch,
  ifMatch?: string,
): Promise<CustomField> {
  const before = await lockField(transaction, id)
  await requireUnchanged(transaction, ifMatch, 'custom field', before)
  const patch = await withoutReadOnly(body, FIELD_READ_ONLY, async () => JSON.stringify(before))
  const others = await readOthers(transaction, before.entity, id)
  const after: CustomField = {
    ...before,
    ...(patch.label !== undefined && { label: freeLabel(patch.label, others) }),
    ...(patch.options && { options: withIds(before, patch.options, before.options) }),
    ...(patch.currency !== undefined && { currency: currencyOf(before, patch.currency) }),
    required: patch.required ?? before.required,
    archived: patch.archived ?? before.archived,
    updated_at: timeAfter(before.updated_at),
  }
  const removed = before.options
    .map((option) => option.id)
    .filter((option) => !after.options.some(({ id }) => id === option))
  if (removed.length > 0 && !patch.confirm) await requireUnused(transaction, before, removed)
  await sql`
    update fields set label = ${after.label}, options = ${JSON.stringify(after.options)}::json, currency = ${after.currency},
      required = ${after.required}, removed_options = removed_options || ${removed}::text[],
      updated_at = ${after.updated_at}::timestamptz,
      archived_at = case when ${after.archived} then coalesce(archived_at, now()) end
    where id = ${id}`.execute(transaction)
  return after
}

async function requireUnused(transaction: Db, field: CustomField, options: string[]): Promise<void> {
  const { label, entity } = field
  const count = await countValues(transaction, field, options)
  if (count > 0)
    throw new Conflict(
      `${numberOf(count, entity)} ${count === 1 ? 'has' : 'have'} an option of ${label} that is missing in options. Send it with its id, or confirm: true to remove it from them; that cannot be undone.`,
    )
}

/** How many records have a value of the field, or one of these options. */
async function countValues(db: Db, field: CustomField, options?: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from ${tableOf(field.entity)} where ${hasValue(field, options)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

const numberOf = (count: number, entity: CustomFieldEntity): string => {
  const plural = entity === 'company' ? 'companies' : 'deals'
  return `${count.toLocaleString('en')} ${count === 1 ? entity : plural}`
}

/**
 * Deletes an archived field. Its values are removed in the background.
 * @throws NotFound, Conflict if it is not archived, or has values and that is not confirmed
 */
export async function markDeleted(transaction: Db, id: string, isConfirmed: boolean): Promise<void> {
  const field = await lockField(transaction, id)
  if (!field.archived)
    throw new Conflict(
      `The field ${field.label} must be archived before it is deleted: PATCH it with archived: true.`,
    )
  const count = isConfirmed ? 0 : await countValues(transaction, field)
  if (count > 0)
    throw new Conflict(
      `Deleting the field ${field.label} removes the values of ${numberOf(count, field.entity)}. That cannot be undone. Repeat the request with confirm=true.`,
    )
  await sql`update fields set deleted_at = now() where id = ${id}`.execute(transaction)
}
