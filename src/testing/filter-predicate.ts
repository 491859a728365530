import type { Moments } from '../platform/filter/dates.ts'
import type { FilterField } from '../platform/filter/fields.ts'
import type { Condition, Leaf } from '../platform/filter/tree.ts'
import type { Value } from '../platform/filter/values.ts'

type PlainRecord = Readonly<Record<string, unknown>>

/** Folds case and accents as the database does (`fold_text`). */
export type Fold = (text: string) => string

/** Whether a record with its values by field name matches, by the same rules as `toSql`. Times are ISO 8601. */
export function matches(condition: Condition, record: PlainRecord, fold: Fold): boolean {
  if ('and' in condition) return condition.and.every((part) => matches(part, record, fold))
  if ('or' in condition) return condition.or.some((part) => matches(part, record, fold))
  if ('not' in condition) return !matches(condition.not, record, fold)
  const { name, type } = condition.field
  const value = record[name] ?? (type === 'multi_select' ? [] : null)
  return Array.isArray(value) && condition.field.type === 'multi_select'
    ? matchesMulti(condition, value)
    : matchesLeaf(condition, value, fold)
}

function matchesMulti({ op, values }: Leaf, held: readonly unknown[]): boolean {
  const hasAny = values.some((value) => held.includes(value))
  switch (op) {
    case 'is_empty':
      return held.length === 0
    case 'is_not_empty':
      return held.length > 0
    case 'ne':
    case 'not_in':
      return !hasAny
    default:
      return hasAny
  }
}

function matchesLeaf({ field, op, values }: Leaf, value: unknown, fold: Fold): boolean {
  if (op === 'is_empty') return value === null
  if (op === 'is_not_empty') return value !== null
  if (value === null) return op === 'ne' || op === 'not_in'
  const [first, last] = values as [Value, Value?]
  const compare = comparerOf(field, value)
  switch (op) {
    case 'ne':
    case 'not_in':
      return !values.some((operand) => compare(operand) === 0)
    case 'contains':
      return fold(String(value)).includes(fold(String(first)))
    case 'starts_with':
      return fold(String(value)).startsWith(fold(String(first)))
    case 'lt':
      return compare(first) < 0
    case 'lte':
      return compare(first) <= 0
    case 'gt':
      return compare(first) > 0
    case 'gte':
      return compare(first) >= 0
    case 'between':
      return compare(first) >= 0 && compare(last as Value) <= 0
    default:
      return values.some((operand) => compare(operand) === 0)
  }
}

/** Compares a record's value with an operand: below, equal or above it. */
function comparerOf(field: FilterField, value: unknown): (operand: Value) => number {
  if (field.type === 'timestamp') {
    const time = Date.parse(String(value))
    return (operand) => {
      const { from, until } = operand as Moments
      return time < from ? -1 : time >= until ? 1 : 0
    }
  }
  return (operand) => {
    if (value === operand) return 0
    return (value as Value) < operand ? -1 : 1
  }
}
