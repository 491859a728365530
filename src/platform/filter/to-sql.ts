import { type RawBuilder, sql } from 'kysely'
import { hasTrigram } from '#src/platform/database/trigram.ts'
import type { Moments } from './dates.ts'
import { type MultiField, type SingleField, sqlTypeOf } from './fields.ts'
import type { Operator } from './schema.ts'
import type { Condition, Leaf } from './tree.ts'
import type { Value } from './values.ts'

type Sql = RawBuilder<unknown>

/** The operator that is true where the other is false. */
const OPPOSITES: Partial<Record<Operator, Operator>> = {
  ne: 'eq',
  not_in: 'in',
  is_not_empty: 'is_empty',
}

/**
 * The SQL of a condition, for `where`: it may be null instead of false, so that indexes can be used. Negations are moved
 * to the leaves, where an empty value counts as false before it is negated.
 */
export function toSql(condition: Condition, isNegated = false): Sql {
  if ('and' in condition) return joined(condition.and, isNegated ? 'or' : 'and', isNegated)
  if ('or' in condition) return joined(condition.or, isNegated ? 'and' : 'or', isNegated)
  if ('not' in condition) return toSql(condition.not, !isNegated)
  return leafSql(condition, isNegated)
}

const joined = (parts: Condition[], word: 'and' | 'or', isNegated: boolean): Sql =>
  sql`(${sql.join(
    parts.map((part) => toSql(part, isNegated)),
    sql.raw(` ${word} `),
  )})`

function leafSql({ field, op, values }: Leaf, isNegated: boolean): Sql {
  const opposite = OPPOSITES[op]
  if (opposite) return leafSql({ field, op: opposite, values }, !isNegated)
  if (field.type === 'multi_select') return multiSql(field, op, values as string[], isNegated)
  if (op === 'is_empty') return isNegated ? sql`${field.sql} is not null` : sql`${field.sql} is null`
  if (!isNegated) return comparison(field, op, values)
  const negated = negatedComparison(field, op, values)
  return field.isRequired ? negated : sql`(${negated} or ${field.sql} is null)`
}

function multiSql(field: MultiField, op: Operator, values: string[], isNegated: boolean): Sql {
  const condition = op === 'is_empty' ? field.isEmpty : field.hasAnyOf(values)
  return isNegated ? sql`not ${condition}` : condition
}

/** Comparisons that an index can answer even if they are negated. */
function negatedComparison(field: SingleField, op: Operator, values: Value[]): Sql {
  const { type } = field
  if (op === 'eq' && type !== 'timestamp' && type !== 'boolean')
    return sql`${field.sql} <> ${parameter(field, values[0] as Value)}`
  return sql`not ${comparison(field, op, values)}`
}

function comparison(field: SingleField, op: Operator, values: Value[]): Sql {
  const [first = '', last = first] = values
  if (op === 'contains' || op === 'starts_with') return textComparison(field, op, String(first))
  if (field.type === 'timestamp') return momentsComparison(field.sql, op, values as Moments[])
  const value = (operand: Value) => parameter(field, operand)
  switch (op) {
    case 'eq':
      // An expression such as `exists` is only fast without `=`.
      if (field.type === 'boolean') return first ? field.sql : sql`(not ${field.sql})`
      return sql`(${field.sql} = ${value(first)})`
    case 'in':
      return sql`(${field.sql} = any(${values}::${sql.raw(sqlTypeOf(field))}[]))`
    case 'between':
      return sql`(${field.sql} >= ${value(first)} and ${field.sql} <= ${value(last)})`
    default:
      return sql`(${field.sql} ${SYMBOLS[op as Comparison]} ${value(first)})`
  }
}

/** The subselects hide the patterns from the planner, which would misjudge them. */
function textComparison(field: SingleField, op: 'contains' | 'starts_with', part: string): Sql {
  const pattern = sql`contains_pattern(${part}::text)`
  const exact = sql`${folded(field)} like (select ${op === 'contains' ? pattern : sql`substr(${pattern}, 2)`})`
  const { searchedSql } = field
  return searchedSql && hasTrigram(part)
    ? sql`(${searchedSql} like (select ${pattern}) and ${exact})`
    : sql`(${exact})`
}

const folded = (field: SingleField): Sql => field.foldedSql ?? sql`fold_text(${field.sql})`

const parameter = (field: SingleField, value: Value): Sql => sql`${value}::${sql.raw(sqlTypeOf(field))}`

type Comparison = 'lt' | 'lte' | 'gt' | 'gte'
const SYMBOLS: Record<Comparison, Sql> = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` }

function momentsComparison(time: Sql, op: Operator, values: Moments[]): Sql {
  const [first, last = first] = values as [Moments, Moments?]
  const within = (from: number, until: number) =>
    sql`(${time} >= ${moment(from)} and ${time} < ${moment(until)})`
  switch (op) {
    case 'lt':
      return sql`(${time} < ${moment(first.from)})`
    case 'lte':
      return sql`(${time} < ${moment(first.until)})`
    case 'gt':
      return sql`(${time} >= ${moment(first.until)})`
    case 'gte':
      return sql`(${time} >= ${moment(first.from)})`
    case 'between':
      return within(first.from, (last as Moments).until)
    default:
      return sql`(${sql.join(
        values.map(({ from, until }) => within(from, until)),
        sql` or `,
      )})`
  }
}

/** The first moment that JavaScript writes in another form. */
const YEAR_10000 = 253_402_300_800_000

const moment = (milliseconds: number): Sql =>
  sql`${milliseconds < YEAR_10000 ? new Date(milliseconds).toISOString() : 'infinity'}::timestamptz`
