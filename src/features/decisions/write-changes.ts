import { type Action, changesOf, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { type StoredDecision, type Votes, voteName, voterOf, writeDecision } from './store.ts'

/** A change to a decision that the transaction has locked. */
interface DecisionChange {
  before: StoredDecision
  /** New values by their names in the ledger. A vote of null is taken back. */
  values: Record<string, unknown>
}

/** A decision with each vote as a field, by its name in the ledger. */
export const withVoteNames = ({ votes, ...fields }: StoredDecision): Record<string, unknown> => ({
  ...fields,
  ...Object.fromEntries(Object.entries(votes).map(([email, given]) => [voteName(email), given])),
})

/** The opposite of `withVoteNames`. A vote of null is left out. */
export function withVotes(named: Record<string, unknown>): StoredDecision {
  const fields = Object.entries(named).filter(([name]) => voterOf(name) === undefined && name !== 'votes')
  const votes = Object.entries(named).flatMap(([name, given]) => {
    const voter = voterOf(name)
    return voter === undefined || !given ? [] : [[voter, given]]
  })
  return { ...Object.fromEntries(fields), votes: Object.fromEntries(votes) as Votes } as StoredDecision
}

/**
 * Writes changes of decisions and records them. Decisions with no difference are left out.
 * @returns the ids of those that have changed
 */
export async function writeChanges(
  transaction: Db,
  action: Action,
  changes: readonly DecisionChange[],
): Promise<string[]> {
  const activities: NewActivity[] = []
  for (const { before, values } of changes) {
    const named = withVoteNames(before)
    const changed = changesOf(named, values)
    const fields = Object.keys(changed)
    if (fields.length === 0) continue
    const updated_at = timeAfter(before.updated_at)
    await writeDecision(transaction, { ...withVotes({ ...named, ...values }), updated_at })
    activities.push({
      ...decisionActivity('decision_updated', { ...before, ...values }),
      metadata: { fields },
      changes: changed,
      timestamp: updated_at,
    })
  }
  await recordAction(transaction, action, activities)
  return activities.map(({ entity_id }) => entity_id)
}

/** An activity record about a decision. */
export const decisionActivity = (
  activity_type: `decision_${'created' | 'updated' | 'deleted' | 'restored'}`,
  { id, company_id }: { id: string; company_id: string },
): NewActivity => ({ activity_type, entity_type: 'decision', entity_id: id, company_id })
