import type { CustomFieldEntity } from '#src/features/fields/index.ts'
import { customKey, isValidValue } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { lockFields } from './drop-forbidden-values.ts'
import type { Obstacle } from './undo-records.ts'

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

/** The former custom values that their fields no longer allow. */
export async function findForbiddenValues(
  transaction: Db,
  entity: CustomFieldEntity,
  former: Map<string, Record<string, unknown>>,
): Promise<Obstacle[]> {
  const given = [...former].flatMap(([id, values]) =>
    Object.entries(values).flatMap(([field, value]) => {
      const key = customKey(field)
      return key === undefined || value === null ? [] : [{ id, field, key, value }]
    }),
  )
  if (given.length === 0) return []
  const fields = await lockFields(transaction, entity)
  return given
    .filter(({ key, value }) => {
      const field = fields.get(key)
      return !field || !isValidValue(field, value)
    })
    .map(({ id, field }) => ({ id, field, reason: 'value_not_allowed' }))
}
