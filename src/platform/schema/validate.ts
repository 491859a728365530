import { Ajv } from 'ajv'
import { describeError, fieldName, jsonBytes } from './describe-error.ts'
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
    findLarge(limited, value) ??
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

/** Read-only fields are ignored, so they may hold any JSON. */
const readOnlyFields = ({
  properties = {},
}: {
  properties?: Record<string, { readOnly?: boolean }>
}): string[] => Object.keys(properties).filter((name) => properties[name]?.readOnly)

function without(names: string[], value: unknown): unknown {
  if (names.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

/** Limits of a value that are checked before anything walks through all of it. */
interface SizeLimits {
  /** The only properties that its objects may have. Few others are left to those who know more about the value. */
  keys: readonly string[]
  /** The most items of the lists in the properties with these names. */
  named: Record<string, number>
  /** The most items of all other lists. */
  other: number
}

interface LimitedField {
  /** Applies to objects and lists anywhere in the value. */
  'x-max-size'?: SizeLimits
  anyOf?: LimitedField[]
}

const limitsOf = ({ 'x-max-size': limits, anyOf = [] }: LimitedField): SizeLimits | undefined =>
  limits ?? anyOf.map(limitsOf).find((found) => found !== undefined)

const limitedFields = ({ properties = {} }: { properties?: Record<string, LimitedField> }) =>
  Object.entries(properties).flatMap(([name, field]) => {
    const limits = limitsOf(field)
    return limits ? [{ name, limits }] : []
  })

/** Refuses a huge value before anything walks through all of it. */
function findLarge(fields: { name: string; limits: SizeLimits }[], value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const { name, limits } of fields) {
    const large = largeIn((value as Record<string, unknown>)[name], name, limits, 0)
    if (large) return `${fieldName(`/${name}${large.pointer}`)} must have ${large.allowed}.`
  }
  return undefined
}

/** A list or object that is too large, with its place below `value`. */
function largeIn(
  value: unknown,
  name: string,
  limits: SizeLimits,
  depth: number,
): { pointer: string; allowed: string } | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  const { keys, named, other } = limits
  if (Array.isArray(value)) {
    const limit = Object.hasOwn(named, name) ? (named[name] ?? other) : other
    if (value.length > limit) return { pointer: '', allowed: `at most ${limit} items` }
  } else if (Object.keys(value).length > keys.length)
    return { pointer: '', allowed: `only ${keys.join(', ')}` }
  for (const [key, item] of Object.entries(value)) {
    const large = largeIn(item, key, limits, depth + 1)
    if (large) return { ...large, pointer: `/${key}${large.pointer}` }
  }
  return undefined
}
