import type { ErrorObject } from 'ajv'
import { formats } from './formats.ts'
import type { NormalizedSchema } from './normalize-input.ts'
import { EMAIL_PATTERN, IDS_PATTERN, WORD_PATTERN } from './shapes.ts'

interface Schema extends NormalizedSchema {
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  readOnly?: boolean
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

/** A JSON pointer as people write it: `/items/0/name` is `items[0].name`. */
export function fieldName(pointer: string): string {
  const name = pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return name === '' ? 'The body' : abbreviated(name)
}

/** What a fault that ajv has found is about, as a sentence that names the field and what is allowed. */
export function describe(error: ErrorObject | undefined, part = 'body'): string {
  if (!error) return 'The request is not valid.'
  const whole = part === 'querystring' ? 'The query' : part === 'params' ? 'The path' : 'The body'
  const field = error.instancePath === '' ? whole : fieldName(error.instancePath)
  const schema = error.parentSchema as Schema
  switch (error.keyword) {
    case 'required': {
      const unknown = unknownField(schema, error.data)
      if (unknown) return describeUnknown(unknown, schema, part)
      return `${error.instancePath === '' ? '' : `${field}.`}${error.params.missingProperty} is required.`
    }
    case 'additionalProperties':
      return describeUnknown(error.params.additionalProperty, schema, part)
    case 'x-max-bytes':
      return `${field} must be at most ${error.schema} bytes of JSON, not ${jsonBytes(error.data)}.`
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

/** A field that is missing may be one whose name was mistyped, which says more. */
const unknownField = (
  { properties = {}, additionalProperties }: Schema,
  data: unknown,
): string | undefined =>
  additionalProperties === false
    ? Object.keys(data as object).find((name) => !Object.hasOwn(properties, name))
    : undefined

function describeUnknown(name: string, { properties = {} }: Schema, part: string): string {
  const known = Object.entries(properties).flatMap(([field, { readOnly }]) => (readOnly ? [] : [field]))
  const kind = part === 'querystring' ? 'query parameter' : 'field'
  return `${abbreviated(name)} is not a known ${kind}. Known here: ${known.join(', ') || 'none'}.`
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
  if (type === 'array' && minItems > 0 && maxItems === undefined)
    return `an array of at least ${minItems} ${minItems === 1 ? 'item' : 'items'}${nullable}`
  if (type === 'array' && maxItems !== undefined)
    return `an array of ${minItems} to ${maxItems} items${nullable}`
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}${nullable}`
}

/** The size of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** A value as a message quotes it. */
export const shown = (value: unknown): string =>
  value === undefined ? 'missing' : abbreviated(JSON.stringify(value) ?? String(value))

const abbreviated = (text: string) => (text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text)
