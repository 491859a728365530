import { Ajv } from 'ajv'
import { describeError, fieldName, jsonBytes } from './describe-fault.ts'
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

/** Like `compileValidator`, but compiles the schema when it is first needed, which most processes never do. */
export function lazyValidator(schema: object): (value: unknown) => string | undefined {
  let validate: ReturnType<typeof compileValidator> | undefined
  return (value) => {
    validate ??= compileValidator(schema)
    return validate(value)
  }
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

/** The most items that lists may have: those of the properties with these names, and all others. */
interface ListLimits {
  named: Record<string, number>
  other: number
}

interface LimitedField {
  /** Applies to lists anywhere in the value. */
  'x-max-list'?: ListLimits
  anyOf?: LimitedField[]
}

const limitsOf = ({ 'x-max-list': limits, anyOf = [] }: LimitedField): ListLimits | undefined =>
  limits ?? anyOf.map(limitsOf).find((found) => found !== undefined)

const limitedFields = ({ properties = {} }: { properties?: Record<string, LimitedField> }) =>
  Object.entries(properties).flatMap(([name, field]) => {
    const limits = limitsOf(field)
    return limits ? [{ name, limits }] : []
  })

/** Refuses a huge value before anything walks through all of it. */
function findLongList(fields: { name: string; limits: ListLimits }[], value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const { name, limits } of fields) {
    const long = longListIn((value as Record<string, unknown>)[name], name, limits, 0)
    if (long) return `${fieldName(`/${name}${long.pointer}`)} must have at most ${long.limit} items.`
  }
  return undefined
}

/** A list that is too long, with its place below `value`. */
function longListIn(
  value: unknown,
  name: string,
  limits: ListLimits,
  depth: number,
): { pointer: string; limit: number } | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  const { named, other } = limits
  const limit = Object.hasOwn(named, name) ? (named[name] ?? other) : other
  if (Array.isArray(value) && value.length > limit) return { pointer: '', limit }
  for (const [key, item] of Object.entries(value)) {
    const long = longListIn(item, key, limits, depth + 1)
    if (long) return { ...long, pointer: `/${key}${long.pointer}` }
  }
  return undefined
}
