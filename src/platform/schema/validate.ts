import { Ajv } from 'ajv'
import { describeError, jsonBytes } from './describe-fault.ts'
import { formats } from './formats.ts'
import { MAX_DEPTH, unstorable } from './unstorable.ts'

const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  verbose: true,
  strict: false,
})
ajv.addKeyword({
  keyword: 'x-max-bytes',
  validate: (most: number, value: unknown) => value === null || jsonBytes(value) <= most,
})
for (const [format, { isValid }] of Object.entries(formats)) ajv.addFormat(format, isValid)

/**
 * Compiles a schema into a function that returns the first problem of a value as a sentence, or `undefined`.
 * @param part the request part that the values come from, for the wording
 */
export function compileValidator(schema: object, part = 'body'): (value: unknown) => string | undefined {
  const validate = ajv.compile(schema)
  const readOnly = readOnlyFields(schema)
  const limited = limitedFields(schema)
  return (value) =>
    findLongList(limited, value) ??
    unstorable(without(readOnly, value)) ??
    (validate(value) ? undefined : describeError(validate.errors?.[0], part))
}

/** Read-only fields are compared and never stored, so they may hold any JSON. */
const readOnlyFields = ({
  properties = {},
}: {
  properties?: Record<string, { readOnly?: boolean }>
}): string[] => Object.keys(properties).filter((name) => properties[name]?.readOnly)

function without(names: string[], value: unknown): unknown {
  if (names.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

interface LimitedField {
  /** The most items that a list anywhere in the value may have. */
  'x-max-list'?: number
  anyOf?: LimitedField[]
}

const limitOf = ({ 'x-max-list': limit, anyOf = [] }: LimitedField): number | undefined =>
  limit ?? anyOf.map(limitOf).find((most) => most !== undefined)

const limitedFields = ({ properties = {} }: { properties?: Record<string, LimitedField> }) =>
  Object.entries(properties).flatMap(([name, field]) => {
    const limit = limitOf(field)
    return limit === undefined ? [] : [{ name, limit }]
  })

/** Refuses a huge value before anything walks through all of it. */
function findLongList(fields: { name: string; limit: number }[], value: unknown): string | undefined {
  if (fields.length === 0 || typeof value !== 'object' || value === null) return undefined
  const long = fields.find(({ name, limit }) =>
    hasLongList((value as Record<string, unknown>)[name], limit, 0),
  )
  return long && `${long.name} must have at most ${long.limit} items in each list.`
}

function hasLongList(value: unknown, limit: number, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  if (Array.isArray(value) && value.length > limit) return true
  return Object.values(value).some((item) => hasLongList(item, limit, depth + 1))
}
