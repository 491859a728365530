import { idTime } from '#src/platform/ids.ts'
import { dayStart, type Place } from './cursor.ts'

/** An activity record without its values. */
export interface LedgerRow {
  id: string
  activity_type: string
  entity_type: string
  entity_id: string
  user_email: string | null
  via: string | null
  action_id: string | null
  action_kind: string | null
  /** Whether it undid a change that has an entry. */
  is_undo: boolean
  /** The action that undid the change, the one that undid that, and so on. */
  undos: string[] | null
}

/** Changes that are one entry. */
export interface Fold extends Place {
  /** Oldest first. */
  rows: LedgerRow[]
}

const HOUR_MS = 3_600_000
const SMALL_CHANGE = /_(?:updated|stage_changed|linked|unlinked)$/

export const isScore = ({ activity_type }: LedgerRow): boolean => activity_type === 'company_scored'

const isSmall = ({ activity_type, user_email, via, action_kind }: LedgerRow) =>
  SMALL_CHANGE.test(activity_type) &&
  user_email !== null &&
  (via ?? 'request') === 'request' &&
  (action_kind ?? 'update') === 'update'

const timeOf = ({ id }: LedgerRow) => idTime(id).getTime()

/**
 * Folds the changes of whole days, so that it does not matter where a page begins: no entry has changes of two days.
 * @param rows newest first
 * @returns newest first
 */
export function foldDays(rows: readonly LedgerRow[]): Fold[] {
  const folds: LedgerRow[][] = []
  const latest = new Map<string, LedgerRow[]>()
  for (const row of rows.toReversed()) {
    if (row.is_undo) continue
    const key = `${row.entity_id} ${isScore(row)}`
    const fold = latest.get(key)
    if (fold && continues(fold, row)) fold.push(row)
    else {
      const started = [row]
      folds.push(started)
      latest.set(key, started)
    }
  }
  return folds
    .map((members) => {
      const { id } = members.at(-1) as LedgerRow
      return { id, at: idTime(id).toISOString(), rows: members }
    })
    .sort((one, other) => (one.id < other.id ? 1 : -1))
}

function continues([first, ...others]: LedgerRow[], row: LedgerRow): boolean {
  if (!first || dayStart(idTime(first.id)) !== dayStart(idTime(row.id))) return false
  const last = others.at(-1) ?? first
  if (row.action_id !== null && last.action_id === row.action_id) return true
  return (
    isSmall(last) &&
    isSmall(row) &&
    last.user_email === row.user_email &&
    timeOf(row) - timeOf(first) <= HOUR_MS
  )
}
