import { Conflict, InvalidInput } from '#src/platform/errors.ts'
import type { FilterField } from '#src/platform/filter/fields.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import {
  type CustomField,
  type CustomFieldEntity,
  FIELD_KEY_PATTERN,
  MAX_FIELD_KEY_LENGTH,
} from './schema.ts'
import { foldLabel } from './values.ts'

/** What the built-in fields of an entity are called, which no custom field may be. */
export interface BuiltInNames {
  names: readonly string[]
  labels: readonly string[]
}
export type BuiltInFields = Record<CustomFieldEntity, BuiltInNames>

/**
 * The names of an entity's built-in fields.
 * @param properties of its records
 * @param fields that it can be filtered by
 */
export const builtInNames = (properties: object, fields: readonly FilterField[]): BuiltInNames => ({
  names: [...Object.keys(properties), ...fields.map(({ name }) => name)],
  labels: fields.map(({ label }) => label),
})

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

/** The names that no key may have. */
export const reservedKeys = ({ names }: BuiltInNames): ReadonlySet<string> => new Set([...RESERVED, ...names])

/** @throws InvalidInput for a key that is not allowed, Conflict if it is taken */
export function requireFreeKey(
  key: string,
  taken: ReadonlySet<string>,
  reserved: ReadonlySet<string>,
): string {
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

/** @throws Conflict if another field has the label, in any case */
export function freeLabel(label: string, others: readonly CustomField[], { labels }: BuiltInNames): string {
  const isTaken = (taken: string) => foldLabel(taken) === foldLabel(label)
  const other = others.find((field) => isTaken(field.label))
  if (other) throw new Conflict(`label must be unique: the field ${other.id} has the label ${other.label}.`)
  const builtIn = labels.find(isTaken)
  if (builtIn) throw new Conflict(`label must be unique: a built-in field has the label ${builtIn}.`)
  return label.trim()
}
