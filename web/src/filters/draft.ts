import { MAX_FILTER_DEPTH, MAX_FILTER_LEAVES } from '#src/client/limits.ts'
import { readChoice } from './facet-choice.ts'
import { type Compared, conditionFilter, readCondition } from './operators.ts'
import { type Filter, groupOf, isLeaf, negatedOf } from './tree.ts'
import type { FieldMap } from './use-fields.ts'

/** A filter that is being built. Its conditions may still lack a value, and its groups may be empty. */
export type Draft = DraftCondition | DraftGroup

export interface DraftCondition extends Compared {
  id: number
  /** '' until one is chosen. */
  field: string
}

export interface DraftGroup {
  id: number
  join: 'and' | 'or'
  /** Whether the group matches the records that its conditions do not match. */
  isNegated: boolean
  parts: Draft[]
}

export const isGroup = (draft: Draft): draft is DraftGroup => 'parts' in draft

let lastId = 0
const newId = (): number => ++lastId

export const newCondition = (): DraftCondition => ({ id: newId(), field: '', comparison: 'in' })

export const newGroup = (parts: Draft[], join: 'and' | 'or' = 'and', isNegated = false): DraftGroup => ({
  id: newId(),
  join,
  isNegated,
  parts,
})

/** Whether a filter from an address is well-formed, so that it can be edited. */
export function isWellFormed(filter: unknown, depth = 1): filter is Filter {
  if (depth > MAX_FILTER_DEPTH) return false
  const parts = groupOf(filter, 'and') ?? groupOf(filter, 'or')
  if (parts) return parts.length > 0 && parts.every((part) => isWellFormed(part, depth + 1))
  const negated = negatedOf(filter)
  return negated === undefined ? isLeaf(filter) : isWellFormed(negated, depth + 1)
}

/**
 * The draft of a filter: always a group. A choice with "No value" is a group in it, because further conditions must match
 * too.
 */
export function draftOf(filter: Filter | undefined, fields: FieldMap): DraftGroup {
  if (filter === undefined || !isWellFormed(filter)) return newGroup([])
  const draft = partDraft(filter, fields)
  const first = groupOf(filter, 'or')?.[0]
  const isChoice = isLeaf(first) && readChoice(filter, first.field) !== undefined
  return isGroup(draft) && !isChoice ? draft : newGroup([draft])
}

function partDraft(filter: Filter, fields: FieldMap): Draft {
  const condition = readCondition(filter, fields)
  if (condition) return { id: newId(), ...condition }
  const negated = negatedOf(filter)
  if (negated === undefined) {
    const join = groupOf(filter, 'and') ? 'and' : 'or'
    return newGroup(
      (groupOf(filter, join) ?? []).map((part) => partDraft(part, fields)),
      join,
    )
  }
  const draft = partDraft(negated, fields)
  return isGroup(draft) ? { ...draft, isNegated: !draft.isNegated } : newGroup([draft], 'and', true)
}

/** The filter of a draft, without incomplete conditions and empty groups. */
export function filterOf(draft: Draft, fields: FieldMap): Filter | undefined {
  if (!isGroup(draft))
    return draft.field === '' ? undefined : conditionFilter(draft, fields.get(draft.field)?.type)
  const parts = draft.parts.flatMap((part) => filterOf(part, fields) ?? [])
  const first = parts[0]
  if (!first) return undefined
  const group: Filter = parts.length === 1 ? first : draft.join === 'and' ? { and: parts } : { or: parts }
  return draft.isNegated ? { not: group } : group
}

/** The draft with another part in place of the one with this id; without it if `change` returns undefined. */
export function withDraft(
  group: DraftGroup,
  id: number,
  change: (draft: Draft) => Draft | undefined,
): DraftGroup {
  const parts = group.parts.flatMap((part): Draft[] => {
    if (part.id === id) return [change(part) ?? []].flat()
    return [isGroup(part) ? withDraft(part, id, change) : part]
  })
  return { ...group, parts }
}

export const countConditions = (draft: Draft): number =>
  isGroup(draft) ? draft.parts.reduce((sum, part) => sum + countConditions(part), 0) : 1

/** The depth that the filter needs, with room for a negated condition such as "does not contain". */
const depthOf = (draft: Draft): number =>
  isGroup(draft) ? (draft.isNegated ? 2 : 1) + Math.max(2, ...draft.parts.map(depthOf)) : 2

/**
 * Whether the service accepts the filter after a change. A filter from an address that is already too deep may stay as
 * deep.
 */
export const isAllowedChange = (before: DraftGroup, after: DraftGroup): boolean =>
  countConditions(after) <= MAX_FILTER_LEAVES && depthOf(after) <= Math.max(MAX_FILTER_DEPTH, depthOf(before))
