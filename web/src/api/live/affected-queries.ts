import type { QueryKey } from '@tanstack/react-query'
import type { ChangeEvent, EventKind } from '#src/client/client.ts'

const LOGGED = ['activity', 'history', 'actions', 'trash', 'found-records']
/** The first word of the key of the open view's new records. Those of the other views would cost a request each. */
export const OPEN_VIEW = 'open-view'
const VIEWED = ['views']

/** The queries that a change of each kind may affect, by the first word of their keys. */
const AFFECTED: Record<EventKind, readonly string[]> = {
  company: ['companies', 'deals', 'theses', 'stats', 'duplicates', 'tags', OPEN_VIEW, ...LOGGED, ...VIEWED],
  deal: ['deals', 'companies', 'theses', 'stats', OPEN_VIEW, ...LOGGED, ...VIEWED],
  thesis: ['theses', 'companies', 'stats', OPEN_VIEW, ...LOGGED],
  view: [OPEN_VIEW, ...VIEWED],
  field: ['fields', 'companies', 'deals', ...VIEWED],
  tag: ['tags'],
  stage: ['deals', 'stage-config', 'fields'],
  bulk_action: ['bulk-actions'],
  import: ['imports'],
  duplicate: ['duplicates'],
  user: ['users'],
}

/** The lists of each kind, by the first word of their keys. A single record is `[…, 'one', id]`. */
const OWN_RESOURCES: Record<EventKind, string> = {
  company: 'companies',
  deal: 'deals',
  thesis: 'theses',
  view: 'views',
  field: 'fields',
  tag: 'tags',
  stage: 'stage-config',
  bulk_action: 'bulk-actions',
  import: 'imports',
  duplicate: 'duplicates',
  user: 'users',
}

const RECORDS = ['companies', 'deals', 'theses']
/** Parts shown beside a record or a list. */
const SIDE_PARTS = ['facets', 'selected', 'similar', 'source', 'source-table', 'criteria', 'values']

/** Never refetched: previews, suggestions for text being typed, and queries with a stream of their own. */
const EXCLUDED = [
  ['actions', 'preview'],
  ['duplicates', 'check'],
  ['duplicates', 'merge'],
  ['bulk-actions', 'one'],
]

/** Whether a query may show the records that an event names. */
export function isAffected(queryKey: QueryKey, { kind, id }: ChangeEvent, ownEmail: string | null): boolean {
  const [resource, part, of] = queryKey
  if (kind === 'user' && id === ownEmail && resource === 'me') return true
  if (!AFFECTED[kind]?.includes(String(resource))) return false
  if (EXCLUDED.some(([first, second]) => first === resource && second === part)) return false
  // A deal changes only which matches of a thesis are left to review.
  if (kind === 'deal' && resource === 'theses') return part === 'matches'
  if (resource === 'history') return part === kind && isSame(id, of)
  if (part === 'similar' || part === 'source') return kind === 'company' && id === of
  return part !== 'one' || resource !== OWN_RESOURCES[kind] || isSame(id, of)
}

/** An event without an id names several records. */
const isSame = (id: string | null, of: unknown): boolean => id === null || id === of

/**
 * How close a query is to a change that affects it: 0 shows what the change is about, 3 only counts it or offers it.
 * @param kind undefined: anything may have changed
 */
export function distanceFrom(kind: EventKind | undefined, [resource, part]: QueryKey): 0 | 1 | 2 | 3 {
  const name = String(resource)
  if (SIDE_PARTS.includes(String(part))) return 3
  if (name === 'me' || (kind ? name === OWN_RESOURCES[kind] : RECORDS.includes(name))) return 0
  if (LOGGED.includes(name)) return 1
  return RECORDS.includes(name) ? 2 : 3
}
