import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { badRequest } from '#src/platform/errors.ts'
import { formats } from '#src/platform/schema/formats.ts'
import {
  bodyNormalizer,
  isAbsentParameter,
  type NormalizedSchema,
  textNormalizer,
} from '#src/platform/schema/normalize-input.ts'
import { EMAIL_PATTERN, IDS_PATTERN, WORD_PATTERN } from '#src/platform/schema/shapes.ts'

interface Schema extends NormalizedSchema {
  properties?: Record<string, Schema>
  minimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  enum?: unknown[]
  format?: string
  description?: string
}

const DEEPEST = 20
const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  verbose: true,
  strict: false,
})
for (const [format, { isValid }] of Object.entries(formats)) ajv.addFormat(format, isValid)

/**
 * Fastify's validator. Values are normalized first; then the first fault becomes a 400 that names the field, what it was
 * and what is allowed.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const validate = ajv.compile(schema)
  const isQuery = httpPart === 'querystring'
  const normalize =
    httpPart === 'body'
      ? bodyNormalizer(schema)
      : textNormalizer(schema, isQuery ? isAbsentParameter : undefined)
  return (value: unknown) => {
    const input = normalize(value as Record<string, unknown>)
    const fault = unstorable(input, '', 0)
    if (fault) return { error: badRequest(fault) }
    if (validate(input)) return { value: input }
    return { error: badRequest(describe(validate.errors?.[0], httpPart)) }
  }
}

/**
 * Checks a value against a schema outside of a request.
 * @returns what is wrong, as a sentence, or `undefined`
 */
export function faultOf(schema: object): (value: unknown) => string | undefined {
  const validate = ajv.compile(schema)
  return (value) =>
    unstorable(value, '', 0) ?? (validate(value) ? undefined : describe(validate.errors?.[0], 'body'))
}

/** What JSON can say and PostgreSQL cannot keep: NUL, half a surrogate pair, infinite numbers, bottomless nesting. */
function unstorable(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === 'string') return unstorableText(value, path)
  if (typeof value === 'number' && !Number.isFinite(value))
    return `${fieldName(path)} must be a finite number.`
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > DEEPEST) return `${fieldName(path).slice(0, 100)} is nested deeper than ${DEEPEST} levels.`
  if (Array.isArray(value)) return unstorableItem(value, path, depth)
  for (const [key, item] of Object.entries(value)) {
    const fault = unstorableText(key, path) ?? unstorable(item, `${path}/${key}`, depth + 1)
    if (fault) return fault
  }
  return undefined
}

/** A vector's numbers are many: nothing is made for each. */
function unstorableItem(items: unknown[], path: string, depth: number): string | undefined {
  for (const [index, item] of items.entries()) {
    if (typeof item === 'number' && Number.isFinite(item)) continue
    const fault = unstorable(item, `${path}/${index}`, depth + 1)
    if (fault) return fault
  }
  return undefined
}

function unstorableText(text: string, path: string): string | undefined {
  if (text.includes('\0')) return `${fieldName(path)} must not contain the character NUL.`
  if (!text.isWellFormed())
    return `${fieldName(path)} must not contain half a surrogate pair (U+D800 to U+DFFF).`
  return undefined
}

/** A JSON pointer as people write it: `/executives/0/name` is `executives[0].name`. */
function fieldName(pointer: string): string {
  const name = pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return name === '' ? 'The body' : abbreviated(name)
}

function describe(error: ErrorObject | undefined, part = 'body'): string {
  if (!error) return 'The request is not valid.'
  const whole = part === 'querystring' ? 'The query' : part === 'params' ? 'The path' : 'The body'
  const field = error.instancePath === '' ? whole : fieldName(error.instancePath)
  const schema = error.parentSchema as Schema
  switch (error.keyword) {
    case 'required':
      return `${error.instancePath === '' ? '' : `${field}.`}${error.params.missingProperty} is required.`
    case 'additionalProperties': {
      const known = Object.keys(schema.properties ?? {}).join(', ')
      const kind = part === 'querystring' ? 'query parameter' : 'field'
      return `${abbreviated(error.params.additionalProperty)} is not a known ${kind}. Known here: ${known || 'none'}.`
    }
    case 'minProperties':
      return `${field} must name at least one field to change.`
    default:
      return Array.isArray(error.data) && part === 'querystring'
        ? `${field} must be given once.`
        : `${field} must be ${allowed(schema)}, not ${shown(error.data)}.`
  }
}

/** What patterns ask for, in words, besides a length. */
const PATTERNS: Record<string, string> = {
  '\\S': 'not blank',
  '^\\S+$': 'without spaces',
  '^[A-Za-z]{2}$': 'two letters',
  '^[\\x20-\\x7e]+$': 'printable ASCII only',
}

/** Patterns of a whole form, as people call it. */
const FORMS: Record<string, string> = {
  [WORD_PATTERN]: 'a word of lower-case letters, digits and _ that begins with a letter, such as next_step',
  [EMAIL_PATTERN]: 'an e-mail address such as ada@example.com',
  [IDS_PATTERN]: 'up to 1000 ids with commas between them',
}

/** What a schema allows, in words. */
function allowed(schema: Schema): string {
  const types = [schema.type ?? 'value'].flat()
  const nullable = types.includes('null') ? ' or null' : ''
  const [type = 'value'] = types
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema
  if (schema.enum) return `one of ${schema.enum.join(', ')}${nullable}`
  if (schema.format) return `${formats[schema.format as keyof typeof formats].name}${nullable}`
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'a whole number' : 'a number'
    const range =
      minimum === undefined
        ? ''
        : maximum === undefined
          ? ` of at least ${minimum}`
          : ` from ${minimum} to ${maximum}`
    return `${kind}${range}${nullable}`
  }
  if (type === 'string') {
    const form = FORMS[schema.pattern ?? '']
    if (form)
      return `${form}${maxLength === undefined ? '' : `, of up to ${maxLength} characters`}${nullable}`
    const length = maxLength === undefined ? '' : ` of ${minLength} to ${maxLength} characters`
    const quality = schema.pattern ? `, ${PATTERNS[schema.pattern] ?? `that matches ${schema.pattern}`}` : ''
    return `text${length}${quality}${nullable}`
  }
  if (type === 'array' && maxItems !== undefined)
    return `an array of ${minItems} to ${maxItems} items${nullable}`
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}${nullable}`
}

/** A value as a message quotes it. */
export const shown = (value: unknown): string =>
  value === undefined ? 'missing' : abbreviated(JSON.stringify(value) ?? String(value))

const abbreviated = (text: string) => (text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text)
