import type { ErrorObject } from 'ajv'
import { truncate } from '#src/platform/truncate.ts'
import { EMAIL_PATTERN } from './email-address.ts'
import { formats } from './formats.ts'
import type { NormalizedSchema } from './normalize-input.ts'
import { IDS_PATTERN, LIST_ITEM_PATTERN, WORD_PATTERN } from './shapes.ts'

interface Schema extends NormalizedSchema {
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  required?: string[]
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
  /** What its pattern allows, as the end of "must be …". */
  'x-allowed'?: string
}

/** Formats a JSON pointer for messages: `/items/0/name` becomes `items[0].name`. */
export function fieldName(pointer: string): string {
  const name = pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return name === '' ? 'The body' : truncate(name, MAX_SHOWN_LENGTH)
}

/** Describes an Ajv error in a sentence that names the field and the allowed values. */
export function describeError(error: ErrorObject | undefined, part = 'body'): string {
  if (!error) return 'The request is not valid.'
  const whole = part === 'querystring' ? 'The query' : part === 'params' ? 'The path' : 'The body'
  // Values in a query have names, not places. The message quotes the wrong one.
  const path = part === 'querystring' ? error.instancePath.replace(/\/\d+$/, '') : error.instancePath
  const field = path === '' ? whole : fieldName(path)
  const schema = error.parentSchema as Schema
  switch (error.keyword) {
    case 'required': {
      const unknown = unknownField(schema, error.data)
      if (unknown) return describeUnknown(unknown, schema, part)
      if (part === 'headers') return describeMissingHeader(error.params.missingProperty, schema)
      return `${error.instancePath === '' ? '' : `${field}.`}${error.params.missingProperty} is required.`
    }
    case 'additionalProperties':
      return describeUnknown(error.params.additionalProperty, schema, part)
    case 'x-max-bytes':
      return `${field} must be at most ${error.schema} bytes of JSON, not ${jsonBytes(error.data)}.`
    case 'minProperties':
      return `${field} must contain at least one field to change.`
    case 'minItems':
    case 'maxItems':
      return `${field} must be ${allowed(schema)}, not ${(error.data as unknown[]).length}.`
    default:
      return Array.isArray(error.data) && part === 'querystring' && schema.type !== 'array'
        ? `${field} must appear only once.`
        : `${field} must be ${allowed(schema)}, not ${shown(error.data)}.`
  }
}

/** Descriptions of patterns that add to a length limit. */
const PATTERNS: Record<string, string> = {
  '\\S': 'that is not blank',
  '^\\S+$': 'without spaces',
  [LIST_ITEM_PATTERN]: 'that is not blank and has no semicolons',
  '^[\\x20-\\x7e]+$': 'in printable ASCII',
}

/** Descriptions of patterns that define a whole format. */
const FORMS: Record<string, string> = {
  [WORD_PATTERN]: 'a word of lowercase letters, digits and _ that starts with a letter, such as next_step',
  [EMAIL_PATTERN]: 'an email address such as ada@example.com',
  [IDS_PATTERN]: 'up to 1000 comma-separated ids',
  '^[A-Z]{3}$': 'three capital letters, such as EUR',
}

/** If a required field is missing, an unknown field may be its misspelling, which is more helpful to report. */
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
  return `${truncate(name, MAX_SHOWN_LENGTH)} is not a known ${kind}. Known here: ${known.join(', ') || 'none'}.`
}

/** Headers are in lowercase in schemas: if-match is `If-Match` in documentation. */
function describeMissingHeader(name: string, { properties = {} }: Schema): string {
  const header = name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
  return `The header ${header} is required: send ${allowed(properties[name] ?? {})}.`
}

/** Describes the values that a schema allows. */
function allowed(schema: Schema): string {
  const types = [schema.type ?? 'value'].flat()
  return types.includes('null') ? orNull(allowedValues(schema, types[0])) : allowedValues(schema, types[0])
}

/** A description that has a comma or a clause needs a comma before the alternative. */
export const orNull = (description: string): string =>
  `${description}${/, | that /.test(description) ? ',' : ''} or null`

function allowedValues(schema: Schema, type = 'value'): string {
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema
  const choices = schema.enum?.filter((choice) => choice !== null)
  if (choices) return `one of ${choices.join(', ')}`
  if (schema.format) return formats[schema.format as keyof typeof formats].name
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'a whole number' : 'a number'
    const range =
      minimum === undefined
        ? ''
        : maximum === undefined
          ? ` of at least ${minimum}`
          : ` from ${minimum} to ${maximum}`
    return `${kind}${range}`
  }
  if (type === 'string') {
    if (schema['x-allowed']) return schema['x-allowed']
    const form = FORMS[schema.pattern ?? '']
    if (form) return `${form}${maxLength === undefined ? '' : `, of up to ${maxLength} characters`}`
    const length = maxLength === undefined ? '' : ` of ${minLength} to ${maxLength} characters`
    const quality = schema.pattern ? ` ${PATTERNS[schema.pattern] ?? `that matches ${schema.pattern}`}` : ''
    return `text${length}${quality}`
  }
  if (type === 'array' && minItems > 0 && maxItems === undefined)
    return `an array of at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`
  if (type === 'array' && maxItems !== undefined) return `an array of ${minItems} to ${maxItems} items`
  if (type === 'object' && schema.required?.length === 1)
    return `an object such as {"${schema.required[0]}": …}`
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

/** The size of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** A value as a message quotes it. */
export const shown = (value: unknown): string =>
  value === undefined ? 'missing' : truncate(JSON.stringify(value) ?? String(value), MAX_SHOWN_LENGTH)

const MAX_SHOWN_LENGTH = 60
