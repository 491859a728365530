import { strings } from '#strings/filters.ts'
import { type Filter, type FilterLeaf, isLeaf, negatedOf, type Operator } from './tree.ts'
import type { Field } from './use-fields.ts'

/** The comparisons of the builder: operators of the API, some of them negated, and periods that start or end today. */
export type Comparison =
  | Operator
  | 'not_contains'
  | 'not_starts_with'
  | 'last'
  | 'next'
  | 'ago'
  | 'yes'
  | 'no'

export type FieldKind = keyof typeof strings.operators

const KINDS: Partial<Record<Field['type'], FieldKind>> = {
  text: 'text',
  long_text: 'text',
  url: 'text',
  email: 'text',
  number: 'number',
  money: 'number',
  date: 'date',
  timestamp: 'date',
  boolean: 'boolean',
  json: 'json',
}

/** How a field is compared. */
export const kindOf = ({ type }: Pick<Field, 'type'>): FieldKind => KINDS[type] ?? 'choice'

/** The words for a comparison, such as "is at least". */
export const comparisonLabel = (kind: FieldKind, comparison: Comparison): string =>
  (strings.operators[kind] as Partial<Record<Comparison, string>>)[comparison] ??
  WORDS[comparison] ??
  comparison

/** For fields of unknown kind, such as deleted ones. */
const WORDS: Partial<Record<Comparison, string>> = {
  ...strings.operators.number,
  ...strings.operators.text,
  ...strings.operators.choice,
}

/** The comparisons to offer for a field. The present one stays among them. */
export function comparisonsOf(field: Field, present?: Comparison): Comparison[] {
  const offered = Object.keys(strings.operators[kindOf(field)]) as Comparison[]
  const isSensible = (comparison: Comparison) =>
    !(field.required && /empty$/.test(comparison)) &&
    !(field.type === 'timestamp' && comparison === 'next') &&
    comparison !== 'not_starts_with'
  const sensible = offered.filter((comparison) => comparison === present || isSensible(comparison))
  return present && !sensible.includes(present) ? [...sensible, present] : sensible
}

const RELATIVE = /^([+-])(\d{1,5})([dwmy])$/

export interface Period {
  isPast: boolean
  count: number
  unit: 'd' | 'w' | 'm' | 'y'
}

/** Reads a distance from today such as `-30d`. */
export function parsePeriod(value: unknown): Period | undefined {
  const [, sign, count, unit] = RELATIVE.exec(String(value ?? '')) ?? []
  return unit === undefined
    ? undefined
    : { isPast: sign === '-', count: Number(count), unit: unit as Period['unit'] }
}

export const periodText = ({ isPast, count, unit }: Period): string => `${isPast ? '-' : '+'}${count}${unit}`

/** A condition as the builder shows it. Its value is that of the API, or a distance from today. */
export interface Compared {
  field: string
  comparison: Comparison
  value?: unknown
}

/**
 * Reads a condition, or a negated one that has words of its own.
 * @returns undefined for anything else
 */
export function readCondition(filter: Filter, fields: ReadonlyMap<string, Field>): Compared | undefined {
  const negated = negatedOf(filter)
  const leaf = negated ?? filter
  if (!isLeaf(leaf)) return undefined
  const { field, op, value } = leaf
  if (negated) {
    if (op !== 'contains' && op !== 'starts_with') return undefined
    return { field, comparison: `not_${op}`, value }
  }
  const known = fields.get(field)
  const kind = known && kindOf(known)
  if (kind === 'boolean' && op === 'eq') return { field, comparison: value === false ? 'no' : 'yes' }
  if (kind === 'boolean' && op === 'ne' && known?.required)
    return { field, comparison: value === false ? 'yes' : 'no' }
  if (kind === 'date') return { field, ...readDate(leaf, known?.type === 'timestamp') }
  if (kind === 'choice' || kind === 'text') {
    if (op === 'eq') return { field, comparison: 'in', value: [value] }
    if (op === 'ne') return { field, comparison: 'not_in', value: [value] }
  }
  return { field, comparison: op, ...(value !== undefined && { value }) }
}

function readDate({ op, value }: FilterLeaf, isTimestamp: boolean): Omit<Compared, 'field'> {
  const isPast = (text: unknown) => parsePeriod(text)?.isPast === true
  if (op === 'gte' && isTimestamp && isPast(value)) return { comparison: 'last', value }
  if (op === 'lt' && isPast(value)) return { comparison: 'ago', value }
  if (op === 'between' && Array.isArray(value)) {
    const [from, to] = value
    if (to === 'today' && isPast(from)) return { comparison: 'last', value: from }
    if (from === 'today' && parsePeriod(to)?.isPast === false) return { comparison: 'next', value: to }
  }
  return { comparison: op, ...(value !== undefined && { value }) }
}

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every(isFilled) : value !== undefined && value !== ''

/** The filter of a condition; undefined while it has no value. Reverses `readCondition`. */
export function conditionFilter(condition: Compared, type: Field['type'] | undefined): Filter | undefined {
  const { field, comparison, value } = condition
  if (comparison === 'is_empty' || comparison === 'is_not_empty') return { field, op: comparison }
  if (comparison === 'yes' || comparison === 'no') return { field, op: 'eq', value: comparison === 'yes' }
  if (!isFilled(value)) return undefined
  switch (comparison) {
    case 'not_contains':
      return { not: { field, op: 'contains', value } }
    case 'not_starts_with':
      return { not: { field, op: 'starts_with', value } }
    case 'last':
      return type === 'timestamp'
        ? { field, op: 'gte', value }
        : { field, op: 'between', value: [value, 'today'] }
    case 'next':
      return { field, op: 'between', value: ['today', value] }
    case 'ago':
      return { field, op: 'lt', value }
    default:
      return { field, op: comparison, value }
  }
}

/** The shape of the value that a comparison takes. */
type ValueShape = 'none' | 'one' | 'several' | 'range' | 'period'

export function valueShape(comparison: Comparison): ValueShape {
  if (/empty$|^yes$|^no$/.test(comparison)) return 'none'
  if (comparison === 'in' || comparison === 'not_in') return 'several'
  if (comparison === 'between') return 'range'
  return comparison === 'last' || comparison === 'next' || comparison === 'ago' ? 'period' : 'one'
}

/** The value to start with after the comparison has changed: the previous one if it has the same shape. */
export function valueFor({ comparison, value }: Compared, next: Comparison): unknown {
  const shape = valueShape(next)
  if (shape === 'period')
    return periodText({ count: 30, unit: 'd', ...parsePeriod(value), isPast: next !== 'next' })
  return shape === valueShape(comparison) ? value : undefined
}
