import { type RawBuilder, sql } from 'kysely'
import { hasTrigram } from '#src/platform/database/trigram.ts'
import { isInRange } from '#src/platform/schema/formats.ts'
import type { Moments } from './dates.ts'
import { type FilterField, type MultiField, type SingleField, sqlTypeOf } from './fields.ts'
import type { Operator } from './schema.ts'
import { type Condition, type Leaf, leavesOf } from './tree.ts'
import type { Value } from './values.ts'

type Sql = RawBuilder<unknown>

/** The operator that is true where the other is false. */
const OPPOSITES: Partial<Record<Operator, Operator>> = {
  ne: 'eq',
  not_in: 'in',
  is_not_empty: 'is_empty',
}

/** How a condition on a field becomes SQL. */
type LeafSql = (leaf: Leaf, isNegated: boolean) => Sql

/** If more conditions search the text of a field, it is folded once per row for all of them. */
const MAX_FOLDS = 3

/**
 * The SQL of a condition, for `where`: it may be null instead of false, so that indexes can be used. Negations are moved
 * to the leaves, where an empty value counts as false before it is negated.
 */
export function toSql(condition: Condition): Sql {
  const searched = oftenSearched(condition)
  if (searched.size === 0) return treeSql(condition, leafSql)
  const parts = 'and' in condition ? condition.and : [condition]
  const isFolded = (part: Condition) => leavesOf(part).some(({ field }) => searched.has(field))
  const plain = parts.filter((part) => !isFolded(part)).map((part) => treeSql(part, leafSql))
  const foldedParts = foldedOnce({ and: parts.filter(isFolded) }, [...searched])
  return sql`(${sql.join([...plain, foldedParts], sql` and `)})`
}

const isSearch = ({ op }: Leaf): boolean => op === 'contains' || op === 'starts_with'

/** The fields whose text more conditions search than may fold it. */
function oftenSearched(condition: Condition): Set<FilterField> {
  const counts = new Map<FilterField, number>()
  for (const { field } of leavesOf(condition).filter(isSearch))
    counts.set(field, (counts.get(field) ?? 0) + 1)
  return new Set([...counts].flatMap(([field, count]) => (count > MAX_FOLDS ? [field] : [])))
}

/**
 * Folds fields once per row: a description of 20,000 characters takes half a millisecond. The subselect hides the
 * conditions from indexes, so what the trigram index can answer of them comes first.
 */
function foldedOnce(condition: Condition, fields: FilterField[]): Sql {
  const columns = new Map(fields.map((field, index) => [field, sql.id(`folded_text_${index}`)]))
  const exact = treeSql(condition, (leaf, isNegated) => {
    const column = columns.get(leaf.field)
    if (!column || !isSearch(leaf)) return leafSql(leaf, isNegated)
    const found = sql`${column} like ${searchPattern(leaf.op, String(leaf.values[0]))}`
    return isNegated ? sql`(${found}) is not true` : sql`(${found})`
  })
  const texts = [...columns].map(([field, column]) => sql`${folded(field as SingleField)} as ${column}`)
  return sql`${treeSql(condition, lookupSql)} and
    (select ${exact} from (select ${sql.join(texts)} offset 0) folded_texts)`
}

/** What a trigram index can tell about a search, true if nothing; other conditions as they are. */
function lookupSql(leaf: Leaf, isNegated: boolean): Sql {
  if (!isSearch(leaf)) return leafSql(leaf, isNegated)
  const { searchedSql } = leaf.field as SingleField
  const part = String(leaf.values[0])
  return searchedSql && !isNegated && hasTrigram(part)
    ? sql`(${searchedSql} like ${searchPattern('contains', part)})`
    : sql`true`
}

function treeSql(condition: Condition, ofLeaf: LeafSql, isNegated = false): Sql {
  const joined = (parts: Condition[], word: 'and' | 'or') =>
    sql`(${sql.join(
      parts.map((part) => treeSql(part, ofLeaf, isNegated)),
      sql.raw(` ${word} `),
    )})`
  if ('and' in condition) return joined(condition.and, isNegated ? 'or' : 'and')
  if ('or' in condition) return joined(condition.or, isNegated ? 'and' : 'or')
  if ('not' in condition) return treeSql(condition.not, ofLeaf, !isNegated)
  return ofLeaf(condition, isNegated)
}

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

/** Texts that cannot match are not folded. Without a trigram in the part, the index would take longer than a scan. */
function textComparison(field: SingleField, op: Operator, part: string): Sql {
  const exact = sql`${folded(field)} like ${searchPattern(op, part)}`
  const { searchedSql } = field
  if (!searchedSql) return sql`(${exact})`
  const searched = hasTrigram(part) ? searchedSql : sql`(${searchedSql} || '')`
  return sql`(${searched} like ${searchPattern('contains', part)} and ${exact})`
}

/** The subselect hides the pattern from the planner, which would misjudge it. */
function searchPattern(op: Operator, part: string): Sql {
  const pattern = sql`contains_pattern(${part}::text)`
  return sql`(select ${op === 'contains' ? pattern : sql`substr(${pattern}, 2)`})`
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

/** Days in a time zone may begin before the year 1, or end after the year 9999, of which there are no times. */
const moment = (milliseconds: number): Sql =>
  sql`${isInRange(milliseconds) ? new Date(milliseconds).toISOString() : milliseconds > 0 ? 'infinity' : '-infinity'}::timestamptz`
