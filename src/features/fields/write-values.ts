import { requireUsers } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { customName } from './changes.ts'
import type { CustomFields } from './custom-fields.ts'
import type { CustomFieldEntity, CustomValues } from './schema.ts'
import { type CustomFieldMap, changeCustom, newCustom } from './values.ts'

/**
 * The custom values of a new record, checked against the definitions and the users.
 * @throws InvalidInput that names the field
 */
export async function newCustomValues(
  transaction: Db,
  customFields: CustomFields,
  entity: CustomFieldEntity,
  input: CustomValues | undefined,
): Promise<CustomValues> {
  const fields = await customFields.lock(transaction, entity)
  const after = newCustom(fields, input)
  await requireCustomUsers(transaction, fields, [{ before: {}, after }])
  return after
}

/**
 * The custom values of a record after a change, checked like those of a new one.
 * @throws InvalidInput that names the field
 */
export async function changeCustomValues(
  transaction: Db,
  customFields: CustomFields,
  entity: CustomFieldEntity,
  { before, patch }: { before: CustomValues; patch: CustomValues },
): Promise<CustomValues> {
  const fields = await customFields.lock(transaction, entity)
  const after = changeCustom(fields, before, patch)
  await requireCustomUsers(transaction, fields, [{ before, after }])
  return after
}

/**
 * Checks that the new values of fields of the type `user` are addresses of users, like an owner.
 * @param changes the custom values of each record before and after
 * @throws InvalidInput that names the field
 */
export async function requireCustomUsers(
  db: Db,
  fields: CustomFieldMap,
  changes: readonly { before: CustomValues; after: CustomValues }[],
): Promise<void> {
  const keys = [...fields.values()].filter(({ type }) => type === 'user').map(({ key }) => key)
  if (keys.length === 0) return
  const entered = changes.flatMap(({ before, after }) =>
    keys
      .filter((key) => after[key] !== undefined && after[key] !== before[key])
      .map((key) => [customName(key), String(after[key])] as const),
  )
  await requireUsers(db, entered)
}
