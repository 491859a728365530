import { isDeepStrictEqual } from 'node:util'
import { InvalidInput } from '#src/platform/errors.ts'
import { isWebUrl } from '#src/platform/network/addresses.ts'
import { jsonBytes, orNull, shown } from '#src/platform/schema/describe-error.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { isDate } from '#src/platform/schema/formats.ts'
import { truncate } from '#src/platform/truncate.ts'
import {
  type CustomField,
  type CustomFieldType,
  type CustomValues,
  type FieldOption,
  MAX_CUSTOM_BYTES,
  MAX_CUSTOM_LONG_TEXT_LENGTH,
  MAX_CUSTOM_NUMBER,
  MAX_CUSTOM_TEXT_LENGTH,
  MAX_CUSTOM_URL_BYTES,
} from './schema.ts'

/** The custom fields of an entity by key. */
export type CustomFieldMap = ReadonlyMap<string, DefinedField>

export interface DefinedField extends CustomField {
  /** The ids of deleted options whose values are being removed. */
  removed_options?: readonly string[]
}

/** The value as it is stored; null: no value; undefined: not a value of the field. */
type Parse = (value: unknown, field: CustomField) => unknown

const text =
  (isValid: (text: string) => boolean, normalize = (text: string) => text): Parse =>
  (value) => {
    if (typeof value !== 'string') return undefined
    const trimmed = value.trim()
    if (trimmed === '') return null
    return isValid(trimmed) ? normalize(trimmed) : undefined
  }

const number: Parse = (value) =>
  typeof value === 'number' && Math.abs(value) <= MAX_CUSTOM_NUMBER ? value + 0 : blankAsNull(value)

const blankAsNull = (value: unknown): null | undefined => (value === '' ? null : undefined)

/** Input names an option by its id or by its label. */
const select: Parse = (value, field) => {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? null : optionOf(field, trimmed)?.id
}

/** Options are stored once each, in the order of their ids, which never changes. */
const multiSelect: Parse = (value, field) => {
  if (value === '') return null
  if (!Array.isArray(value)) return undefined
  const ids = value.map((item) => (item === '' ? undefined : select(item, field)))
  if (ids.some((id) => typeof id !== 'string')) return undefined
  return ids.length === 0 ? null : [...new Set(ids as string[])].sort()
}

const PARSERS: Record<CustomFieldType, Parse> = {
  text: text(({ length }) => length <= MAX_CUSTOM_TEXT_LENGTH),
  long_text: text(({ length }) => length <= MAX_CUSTOM_LONG_TEXT_LENGTH),
  number,
  money: number,
  date: text(isDate),
  boolean: (value) => (typeof value === 'boolean' ? value : blankAsNull(value)),
  select,
  multi_select: multiSelect,
  url: text((url) => isWebUrl(url) && Buffer.byteLength(url) <= MAX_CUSTOM_URL_BYTES),
  email: text(isEmailAddress),
  user: text(isEmailAddress, (address) => address.toLowerCase()),
}

/** The option with this id or label. Case does not matter in labels. */
export const optionOf = ({ options }: Pick<CustomField, 'options'>, name: string): FieldOption | undefined =>
  optionsByName(options).get(name) ?? optionsByName(options).get(foldLabel(name))

const maps = new WeakMap<readonly FieldOption[], ReadonlyMap<string, FieldOption>>()

/** Imports look up millions of labels. */
function optionsByName(options: readonly FieldOption[]): ReadonlyMap<string, FieldOption> {
  const map =
    maps.get(options) ??
    new Map(
      options.flatMap((option) => [[foldLabel(option.label), option] as const, [option.id, option] as const]),
    )
  maps.set(options, map)
  return map
}

/** Labels that differ in case and outer spaces alone are the same. */
export const foldLabel = (label: string): string => label.trim().toLowerCase()

const limit = (value: number): string => value.toLocaleString('en')

/** What a field allows, for messages. */
export function allowedValues(field: CustomField): string {
  const choices = () => {
    const labels = field.options.map(({ label }) => label)
    const listed = labels.slice(0, 10).join(', ')
    return labels.length === 0 ? 'and the field has none yet' : labels.length > 10 ? `${listed}, …` : listed
  }
  const allowed: Record<CustomFieldType, () => string> = {
    text: () => `text of up to ${MAX_CUSTOM_TEXT_LENGTH} characters`,
    long_text: () => `text of up to ${limit(MAX_CUSTOM_LONG_TEXT_LENGTH)} characters`,
    number: () => `a number from -${limit(MAX_CUSTOM_NUMBER)} to ${limit(MAX_CUSTOM_NUMBER)}`,
    money: () => `an amount in ${field.currency} as a number`,
    date: () => 'a date such as 2026-03-31',
    boolean: () => 'true or false',
    select: () => `one of the options (${choices()})`,
    multi_select: () => `an array of options (${choices()})`,
    url: () => `a URL such as https://www.example.com, of up to ${limit(MAX_CUSTOM_URL_BYTES)} bytes`,
    email: () => 'an email address such as ada@example.com',
    user: () => 'the email address of a user',
  }
  return allowed[field.type]()
}

/**
 * A value as it is stored, or null for none.
 * @throws InvalidInput that names the field and what it allows
 */
export function parseCustomValue(field: CustomField, value: unknown): unknown {
  if (value === null) return null
  const parsed = PARSERS[field.type](value, field)
  if (parsed === undefined)
    throw new InvalidInput(
      `custom.${field.key} must be ${orNull(allowedValues(field))}, not ${shown(value)}.`,
    )
  return parsed
}

/** Whether a stored value is one that the field still allows. */
export const isValidValue = (field: CustomField, value: unknown): boolean =>
  isDeepStrictEqual(PARSERS[field.type](value, field), value)

/**
 * The values after a change. Values that are sent back unchanged are accepted for any field.
 * @param patch values by key; null clears a field
 * @throws InvalidInput for an unknown or archived field, a wrong value, or values that are too large together
 */
export function changeCustom(
  fields: CustomFieldMap,
  before: CustomValues,
  patch: CustomValues,
): CustomValues {
  const after = { ...before }
  for (const [key, value] of Object.entries(patch)) {
    const isUnchanged = Object.hasOwn(before, key)
      ? isDeepStrictEqual(value, before[key])
      : value === null && fields.has(key)
    if (isUnchanged) continue
    const field = requireWritable(fields, key)
    const parsed = parseCustomValue(field, value)
    if (parsed === null && field.required) throw requiredError(field)
    if (parsed === null) delete after[key]
    else after[key] = parsed
  }
  const error = sizeError(after)
  if (error) throw error
  return after
}

/** Whether the values of a record are too large together. */
export function sizeError(values: CustomValues): InvalidInput | undefined {
  const bytes = jsonBytes(values)
  return bytes > MAX_CUSTOM_BYTES
    ? new InvalidInput(`custom must be at most ${MAX_CUSTOM_BYTES} bytes of JSON, not ${bytes}.`)
    : undefined
}

/**
 * The values of a new record.
 * @throws InvalidInput as `changeCustom`, and if a required field has no value
 */
export function newCustom(fields: CustomFieldMap, input: CustomValues = {}): CustomValues {
  const values = changeCustom(fields, {}, input)
  const missing = missingField(fields, values)
  if (missing) throw requiredError(missing)
  return values
}

/** A required field without a value. */
export const missingField = (fields: CustomFieldMap, values: CustomValues): CustomField | undefined =>
  [...fields.values()].find(
    ({ key, required, archived }) => required && !archived && !Object.hasOwn(values, key),
  )

export const requiredError = ({ key, label }: CustomField): InvalidInput =>
  new InvalidInput(`custom.${key} (${label}) is required.`)

function requireWritable(fields: CustomFieldMap, key: string): CustomField {
  const field = fields.get(key)
  if (field?.archived)
    throw new InvalidInput(
      `custom.${key} is archived, so its values cannot be changed. Unarchive the field first.`,
    )
  if (field) return field
  const known = [...fields.values()].filter(({ archived }) => !archived).map((known) => known.key)
  throw new InvalidInput(
    `custom.${truncate(key, 60)} is not a known field. Known: ${known.slice(0, 30).join(', ') || 'none'}. POST /api/fields creates one.`,
  )
}
