import { InvalidInput } from '#src/platform/errors.ts'
import { normalizeEmail } from '#src/platform/schema/normalize-input.ts'
import { normalizeText } from '#src/platform/schema/normalize-text.ts'
import { type Clock, type Moments, parseDay, parseMoments } from './dates.ts'
import { type FilterField, sqlTypeOf } from './fields.ts'
import {
  type FieldType,
  type FilterLeaf,
  MAX_FILTER_VALUE_LENGTH,
  MAX_FILTER_VALUES,
  type Operator,
} from './schema.ts'
import { shownShort } from './shown.ts'

/** A value to compare with: texts, numbers and booleans as they are, days as `YYYY-MM-DD`. */
export type Value = string | number | boolean | Moments

/** What values are relative to. */
export interface FilterContext extends Clock {
  /** Of the caller, who is "me"; null if unknown. */
  email: string | null
}

type Parse = (value: unknown, context: FilterContext, field: FilterField) => Value | undefined

interface ValueKind {
  /** After "must be". */
  name: string
  /** How to write the value. */
  hint?: string
  parse: Parse
}

const MAX_INTEGER = 2 ** 31 - 1

const text: ValueKind = {
  name: `text of 1 to ${MAX_FILTER_VALUE_LENGTH} characters`,
  parse: (value, _context, { normalize }) => {
    if (typeof value !== 'string' || value.length > MAX_FILTER_VALUE_LENGTH) return undefined
    // PostgreSQL could not read these.
    if (value.includes('\0') || !value.isWellFormed()) return undefined
    const stored = normalizeText(value)
    if (stored === '') return undefined
    return normalize ? normalize(stored) : stored
  },
}

const number: ValueKind = {
  name: 'a number',
  hint: `Whole numbers may be up to ${Number.MAX_SAFE_INTEGER}.`,
  parse: (value) => (typeof value === 'number' && isExact(value) ? value : undefined),
}

/** Larger integers are rounded when they are read, so the condition would compare with another one. */
const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

const integer: ValueKind = {
  name: `a whole number from ${-MAX_INTEGER} to ${MAX_INTEGER}`,
  parse: (value) =>
    typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_INTEGER
      ? value
      : undefined,
}

const dateHint = 'Write 2026-03-02, today, or -30d for 30 days ago (also w, m, y).'

const date: ValueKind = {
  name: 'a date',
  hint: dateHint,
  parse: (value, context) => (typeof value === 'string' ? parseDay(value, context) : undefined),
}

const timestamp: ValueKind = {
  name: 'a date',
  hint: `${dateHint} A time such as 2026-03-02T09:30:00Z works too.`,
  parse: (value, context) => (typeof value === 'string' ? parseMoments(value, context) : undefined),
}

const boolean: ValueKind = {
  name: 'true or false',
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
}

const user: ValueKind = {
  name: 'an email address, or "me"',
  parse: (value, context, field) => {
    const email = value === 'me' ? context.email : text.parse(value, context, field)
    return typeof email === 'string' ? normalizeEmail(email) : undefined
  },
}

const KINDS: Partial<Record<FieldType, ValueKind>> = { number, money: number, date, timestamp, boolean, user }

const kindOf = (field: FilterField, op: Operator): ValueKind => {
  if (op === 'contains' || op === 'starts_with') return { ...text, parse: parsePart }
  if (field.type !== 'multi_select' && sqlTypeOf(field) === 'integer') return integer
  return KINDS[field.type] ?? text
}

/** A part of a value is not normalized: only whole values are. */
const parsePart: Parse = (value, context, { normalize: _normalize, ...field }) =>
  text.parse(value, context, field as FilterField)

/**
 * The values of a condition: none for `is_empty`, two for `between`, one or more otherwise.
 * @param path of the condition, for errors
 * @throws InvalidInput
 */
export function parseValues(
  { op, value }: FilterLeaf,
  field: FilterField,
  path: string,
  context: FilterContext,
): Value[] {
  const kind = kindOf(field, op)
  const name = `${path}.value`
  if (op === 'is_empty' || op === 'is_not_empty') {
    if (value === undefined || value === null) return []
    throw new InvalidInput(`${name} must be left out with ${op}.`)
  }
  if (op === 'in' || op === 'not_in') {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_FILTER_VALUES)
      throw new InvalidInput(`${name} must be an array of 1 to ${MAX_FILTER_VALUES} values with ${op}.`)
    return value.map((item, index) => parseValue(item, kind, field, `${name}[${index}]`, context))
  }
  if (op === 'between') {
    if (!Array.isArray(value) || value.length !== 2)
      throw new InvalidInput(`${name} must be an array of two values, the first and the last, with between.`)
    return value.map((item, index) => parseValue(item, kind, field, `${name}[${index}]`, context))
  }
  return [parseValue(value, kind, field, name, context)]
}

function parseValue(
  value: unknown,
  kind: ValueKind,
  field: FilterField,
  name: string,
  context: FilterContext,
): Value {
  const parsed = kind.parse(value, context, field)
  if (parsed !== undefined) return parsed
  if (field.type === 'user' && value === 'me')
    throw new InvalidInput(`${name} is "me", but this request has no user.`)
  const hint =
    value === null ? ' Use is_empty for records without a value.' : kind.hint ? ` ${kind.hint}` : ''
  throw new InvalidInput(`${name} must be ${kind.name}, not ${shownShort(value)}.${hint}`)
}
