import { allOf, type Filter, groupOf, isLeaf, partsOf, withPart } from './tree.ts'

/** The chosen values of a facet. */
export interface FacetChoice {
  values: readonly string[]
  /** Whether records without a value are chosen. */
  isEmptyChosen: boolean
}

export const NOTHING: FacetChoice = { values: [], isEmptyChosen: false }

/**
 * Reads a part such as "is Germany or France, or is empty".
 * @returns undefined if it is anything else
 */
export function readChoice(part: Filter, field: string): FacetChoice | undefined {
  const values: string[] = []
  let isEmptyChosen = false
  for (const leaf of groupOf(part, 'or') ?? [part]) {
    if (!isLeaf(leaf) || leaf.field !== field) return undefined
    if (leaf.op === 'is_empty') isEmptyChosen = true
    else if (leaf.op === 'eq' || (leaf.op === 'in' && Array.isArray(leaf.value)))
      values.push(...[leaf.value].flat().map(String))
    else return undefined
  }
  return { values: [...new Set(values)], isEmptyChosen }
}

const indexOfChoice = (filter: Filter | undefined, field: string): number =>
  partsOf(filter).findIndex((part) => readChoice(part, field))

/** The choice that a filter makes in the facet of a field. */
export function choiceOf(filter: Filter | undefined, field: string): FacetChoice {
  const part = partsOf(filter)[indexOfChoice(filter, field)]
  return (part && readChoice(part, field)) ?? NOTHING
}

/**
 * The filter with another choice in the facet of a field.
 * @param isBoolean whether the values are `true` and `false`
 */
export function withChoice(
  filter: Filter | undefined,
  field: string,
  choice: FacetChoice,
  isBoolean = false,
) {
  return putPart(filter, indexOfChoice(filter, field), choicePart(field, choice, isBoolean))
}

function choicePart(
  field: string,
  { values, isEmptyChosen }: FacetChoice,
  isBoolean: boolean,
): Filter | undefined {
  const leaves: Filter[] = [
    ...(isBoolean
      ? values.map((value) => ({ field, op: 'eq' as const, value: value === 'true' }))
      : values.length > 0
        ? [{ field, op: 'in' as const, value: [...values] }]
        : []),
    ...(isEmptyChosen ? [{ field, op: 'is_empty' as const }] : []),
  ]
  return leaves.length > 1 ? { or: leaves } : leaves[0]
}

/** Replaces the part at an index, or adds one if there is none. */
const putPart = (filter: Filter | undefined, index: number, part: Filter | undefined): Filter | undefined =>
  index < 0 ? allOf([...partsOf(filter), ...(part ? [part] : [])]) : withPart(filter, index, part)

const readMinimum = (part: Filter, field: string): number | undefined =>
  isLeaf(part) && part.field === field && part.op === 'gte' && typeof part.value === 'number'
    ? part.value
    : undefined

const indexOfMinimum = (filter: Filter | undefined, field: string): number =>
  partsOf(filter).findIndex((part) => readMinimum(part, field) !== undefined)

/** The lowest value of a number that the filter allows. */
export function minimumOf(filter: Filter | undefined, field: string): number | undefined {
  const part = partsOf(filter)[indexOfMinimum(filter, field)]
  return part && readMinimum(part, field)
}

/** The filter with another lowest value. */
export const withMinimum = (filter: Filter | undefined, field: string, value: number | undefined) =>
  putPart(
    filter,
    indexOfMinimum(filter, field),
    value === undefined ? undefined : { field, op: 'gte', value },
  )
