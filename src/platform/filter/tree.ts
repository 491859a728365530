import { InvalidInput } from '#src/platform/errors.ts'
import { type Fields, type FilterField, operatorsOf, whereListed } from './fields.ts'
import {
  type FilterLeaf,
  MAX_FILTER_DEPTH,
  MAX_FILTER_LEAVES,
  MAX_FILTER_LENGTH,
  type Operator,
} from './schema.ts'
import { shownShort } from './shown.ts'
import { type FilterContext, parseValues, type Value } from './values.ts'

export interface Leaf {
  field: FilterField
  op: Operator
  values: Value[]
}
export type Condition = Leaf | { and: Condition[] } | { or: Condition[] } | { not: Condition }

/** A valid filter. */
export interface ParsedFilter {
  condition: Condition
  /** Filters that match the same records for the same reason have equal keys. */
  key: string
  /** The fields it uses. */
  fields: ReadonlySet<FilterField>
}

const EXAMPLE = '{"field": "created_at", "op": "gte", "value": "-30d"}'

/** @throws InvalidInput if the text is not JSON */
export function parseFilterText(text: string): unknown {
  if (text.length > MAX_FILTER_LENGTH)
    throw new InvalidInput(`filter must be at most ${MAX_FILTER_LENGTH} characters of JSON.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidInput(`filter must be JSON such as ${EXAMPLE}, not ${shownShort(text)}.`)
  }
}

/**
 * Checks a filter, and resolves relative dates and "me". Stops at the first error, so the cost is bounded whatever the
 * size of the input.
 * @throws InvalidInput that names the condition, such as `filter.and[1].value must be a date, not "soon".`
 */
export function parseFilter(input: unknown, fields: Fields, context: FilterContext): ParsedFilter {
  return filterOf(new Parser(fields, context).parse(input, 'filter', 1))
}

/** A filter of this condition. */
export const filterOf = (condition: Condition): ParsedFilter => ({
  condition,
  key: JSON.stringify(keyOf(condition)),
  fields: new Set(leavesOf(condition).map(({ field }) => field)),
})

/** All conditions on fields, however deep. */
export function leavesOf(condition: Condition): Leaf[] {
  if ('and' in condition) return condition.and.flatMap(leavesOf)
  if ('or' in condition) return condition.or.flatMap(leavesOf)
  return 'not' in condition ? leavesOf(condition.not) : [condition]
}

class Parser {
  readonly #fields: Fields
  readonly #context: FilterContext
  #leaves = 0

  constructor(fields: Fields, context: FilterContext) {
    this.#fields = fields
    this.#context = context
  }

  parse(input: unknown, path: string, depth: number): Condition {
    if (depth > MAX_FILTER_DEPTH)
      throw new InvalidInput(`filter must be at most ${MAX_FILTER_DEPTH} levels deep; ${path} is deeper.`)
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      throw new InvalidInput(`${path} must be an object such as ${EXAMPLE}, not ${shownShort(input)}.`)
    const groups = (['and', 'or', 'not'] as const).filter((name) => Object.hasOwn(input, name))
    const [group] = groups
    if (!group) return this.#parseLeaf(input as FilterLeaf, path)
    if (groups.length > 1)
      throw new InvalidInput(
        `${path} must have exactly one of and, or, not, but has ${groups.map((name) => `"${name}"`).join(' and ')}.`,
      )
    requireOnly(input, [group], path)
    const content: unknown = (input as Record<string, unknown>)[group]
    if (group === 'not') return { not: this.parse(content, `${path}.not`, depth + 1) }
    if (!Array.isArray(content) || content.length === 0 || content.length > MAX_FILTER_LEAVES)
      throw new InvalidInput(`${path}.${group} must be an array of 1 to ${MAX_FILTER_LEAVES} filters.`)
    const parts = content.map((part, index) => this.parse(part, `${path}.${group}[${index}]`, depth + 1))
    return group === 'and' ? { and: parts } : { or: parts }
  }

  #parseLeaf(leaf: FilterLeaf, path: string): Leaf {
    if (++this.#leaves > MAX_FILTER_LEAVES)
      throw new InvalidInput(`filter must have at most ${MAX_FILTER_LEAVES} conditions.`)
    if (!Object.hasOwn(leaf, 'field'))
      throw new InvalidInput(`${path} must have a field, or one of and, or, not.`)
    requireOnly(leaf, ['field', 'op', 'value'], path)
    const field = this.#fields.get(leaf.field)
    if (!field)
      throw new InvalidInput(
        `${path}.field must be the name of a field, not ${shownShort(leaf.field)}. ${whereListed(this.#fields)}`,
      )
    const operators = operatorsOf(field)
    if (!operators.includes(leaf.op))
      throw new InvalidInput(
        `${path}.op must be one of ${operators.join(', ')} for ${field.name}, not ${shownShort(leaf.op)}.`,
      )
    return { field, op: leaf.op, values: parseValues(leaf, field, path, this.#context) }
  }
}

function requireOnly(input: object, known: string[], path: string): void {
  const other = Object.keys(input).find((name) => !known.includes(name))
  if (other !== undefined)
    throw new InvalidInput(`${path} must have only ${known.join(', ')}, not ${shownShort(other)}.`)
}

/** The condition as JSON, with the order of groups as it is. */
function keyOf(condition: Condition): unknown {
  if ('and' in condition) return { and: condition.and.map(keyOf) }
  if ('or' in condition) return { or: condition.or.map(keyOf) }
  if ('not' in condition) return { not: keyOf(condition.not) }
  return [condition.field.name, condition.op, condition.values]
}
