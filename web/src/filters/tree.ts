import { type Filter, type FilterLeaf, MAX_FILTER_VALUES } from '#src/client/limits.ts'

export type { Filter, FilterLeaf, Operator } from '#src/client/limits.ts'

/**
 * Filters also come from addresses, so none of these functions relies on their form. The service reports what is wrong
 * with a malformed one.
 */
const has = <K extends string>(filter: unknown, key: K): filter is Record<K, unknown> =>
  typeof filter === 'object' && filter !== null && Object.hasOwn(filter, key)

export const isLeaf = (filter: unknown): filter is FilterLeaf =>
  has(filter, 'field') && typeof filter.field === 'string' && has(filter, 'op')

/** The parts of a group; undefined if the filter is not a group of this kind. */
export const groupOf = (filter: unknown, kind: 'and' | 'or'): readonly Filter[] | undefined =>
  has(filter, kind) && Array.isArray(filter[kind]) ? (filter[kind] as Filter[]) : undefined

/** The filter that `not` negates. */
export const negatedOf = (filter: unknown): Filter | undefined =>
  has(filter, 'not') ? (filter.not as Filter) : undefined

/** The filters that must all match. */
export const partsOf = (filter: Filter | undefined): readonly Filter[] =>
  filter === undefined ? [] : (groupOf(filter, 'and') ?? [filter])

/** The filter that matches if all parts do. Reverses `partsOf`. */
export const allOf = (parts: readonly Filter[]): Filter | undefined =>
  parts.length > 1 ? { and: [...parts] } : parts[0]

/** A filter as the parameter `filter` of a list. */
export const filterText = (filter: Filter): string =>
  typeof filter === 'string' ? filter : JSON.stringify(filter)

/** Replaces a part at the top level, or removes it. */
export const withPart = (filter: Filter | undefined, index: number, part?: Filter): Filter | undefined =>
  allOf(partsOf(filter).flatMap((old, at) => (at === index ? (part ?? []) : old)))

/** Applies another filter. With `replace`, it belongs to the same change as the previous one. */
export type ChangeFilter = (filter: Filter | undefined, options: { replace: boolean }) => void

/** The conditions of a filter. */
export const leavesOf = (filter: unknown): readonly FilterLeaf[] =>
  isLeaf(filter) ? [filter] : innerOf(filter).flatMap(leavesOf)

/** The depth of a filter: a condition has 1, a group is one deeper than its parts. */
export const depthOf = (filter: unknown): number =>
  isLeaf(filter) ? 1 : 1 + Math.max(0, ...innerOf(filter).map(depthOf))

function innerOf(filter: unknown): readonly Filter[] {
  const negated = negatedOf(filter)
  return groupOf(filter, 'and') ?? groupOf(filter, 'or') ?? (negated === undefined ? [] : [negated])
}

/** A filter for the records with these ids, or without them. A condition has a limited number of values. */
export function idsFilter(ids: readonly string[], op: 'in' | 'not_in'): Filter {
  const leaves: Filter[] = []
  for (let from = 0; from < ids.length; from += MAX_FILTER_VALUES)
    leaves.push({ field: 'id', op, value: ids.slice(from, from + MAX_FILTER_VALUES) })
  return leaves.length === 1 ? (leaves[0] as Filter) : op === 'in' ? { or: leaves } : { and: leaves }
}

/** The ids that a filter of `idsFilter` is for; undefined for other filters. */
export function listedIds(filter: Filter | undefined): ReadonlySet<string> | undefined {
  const leaves = groupOf(filter, 'or') ?? partsOf(filter)
  const isOfIds = (part: Filter): part is FilterLeaf =>
    isLeaf(part) && part.field === 'id' && part.op === 'in' && Array.isArray(part.value)
  return leaves.length > 0 && leaves.every(isOfIds)
    ? new Set(leaves.flatMap(({ value }) => value as string[]))
    : undefined
}

/** The filter with other conditions in the same groups. */
export function mapLeaves(filter: Filter, map: (leaf: FilterLeaf) => FilterLeaf): Filter {
  if (isLeaf(filter)) return map(filter)
  const inner = (parts: readonly Filter[]) => parts.map((part) => mapLeaves(part, map))
  const and = groupOf(filter, 'and')
  if (and) return { and: inner(and) }
  const or = groupOf(filter, 'or')
  if (or) return { or: inner(or) }
  const negated = negatedOf(filter)
  return negated === undefined ? filter : { not: mapLeaves(negated, map) }
}
