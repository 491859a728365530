import type { QueryKey } from '@tanstack/react-query'
import type { ChangeEvent, EventKind } from '#src/client/client.ts'

const LOGGED = ['timeline', 'activity', 'history', 'actions', 'trash', 'found-records']
/** The first word of the key of the open view's new records. Those of the other views would cost a request each. */
export const OPEN_VIEW = 'open-view'

/** The queries that a change of each kind may affect, by the first word of their keys: its own records first. */
const AFFECTED: Record<EventKind, readonly string[]> = {
  company: [
    'companies',
    'deals',
    'theses',
    'stats',
    'duplicates',
    'tags',
    'people',
    'notes',
    'tasks',
    'follows',
    OPEN_VIEW,
    ...LOGGED,
    'views',
  ],
  deal: ['deals', 'companies', 'theses', 'stats', 'tasks', 'follows', OPEN_VIEW, ...LOGGED, 'views'],
  thesis: ['theses', 'companies', 'stats', 'follows', OPEN_VIEW, ...LOGGED],
  person: [
    'people',
    'notes',
    'tasks',
    'deals',
    'duplicates',
    'tags',
    'follows',
    OPEN_VIEW,
    ...LOGGED,
    'views',
  ],
  // A contact moves reminders to keep in touch, and a mention makes people follow what the note is about.
  note: ['notes', 'tasks', 'follows', ...LOGGED],
  decision: ['decisions', 'companies', OPEN_VIEW, ...LOGGED, 'views'],
  // A reminder of a task that is done leaves the Inbox.
  task: [
    ...['tasks', 'notifications', 'companies', 'deals', 'people', 'calendar', 'follows'],
    ...[OPEN_VIEW, ...LOGGED, 'views'],
  ],
  file: ['files', 'follows', ...LOGGED],
  view: ['views', OPEN_VIEW],
  field: ['fields', 'companies', 'deals', 'people', 'views'],
  tag: ['tags'],
  stage: ['stage-config', 'deals', 'fields'],
  reason: ['reason-config', 'fields'],
  bulk_action: ['bulk-actions'],
  import: ['imports'],
  duplicate: ['duplicates'],
  user: ['users'],
  notification: ['notifications'],
}

/** Never refetched: previews, suggestions for text being typed, and queries with a stream of their own. */
const EXCLUDED = [
  ['actions', 'preview'],
  ['duplicates', 'check'],
  ['duplicates', 'merge'],
  ['bulk-actions', 'one'],
]

/** What has changed. Without an id, several records of the kind. */
export type Change = Pick<ChangeEvent, 'kind' | 'id'>

/** Whether a query may show the records that a change is about. */
export function isAffected(queryKey: QueryKey, { kind, id }: Change, ownEmail: string | null): boolean {
  const [resource, part, of] = queryKey
  if (kind === 'user' && id === ownEmail && resource === 'me') return true
  if (!AFFECTED[kind]?.includes(String(resource))) return false
  if (EXCLUDED.some(([first, second]) => first === resource && second === part)) return false
  // A deal changes only which matches of a thesis are left to review.
  if (kind === 'deal' && resource === 'theses') return part === 'matches'
  if (resource === 'history') return part === kind && isSame(id, of)
  if (resource === 'follows') return kind === 'note' || kind === 'task' || (part === kind && isSame(id, of))
  if (part === 'similar' || part === 'source') return kind === 'company' && id === of
  return part !== 'one' || resource !== AFFECTED[kind][0] || isSame(id, of)
}

const isSame = (id: string | null, of: unknown): boolean => id === null || id === of
