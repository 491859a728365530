import type { Obstacle, PreviousValues, RecordKind } from '#src/features/trash/index.ts'
import { findMissingReferences } from '#src/features/trash/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { trashDecisions } from './remove.ts'
import { restoreDecisions } from './restore.ts'
import { lockDecisions, readAuthors, voterOf } from './store.ts'
import { withVoteNames, withVotes, writeChanges } from './write-changes.ts'

/** How the trash and undo treat decisions. The ledger has each vote as a field. */
export const decisionKind: RecordKind = {
  entity_type: 'decision',
  prefix: 'dec',
  readOwners: readAuthors,
  remove: async (transaction, action, records) => ({
    removed: await trashDecisions(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restoreDecisions(transaction, action, idsOf(records)),
  lock: async (transaction, ids) =>
    (await lockDecisions(transaction, ids)).map((decision) => ({
      ...withVoteNames(decision),
      id: decision.id,
    })),
  findObstacles: async (transaction, previous, { user }) => [
    ...(await findMissingReferences(transaction, previous, 'company_id', 'companies', 'company_missing')),
    ...(await findTimeObstacles(transaction, previous)),
    ...(await findVoteObstacles(transaction, previous, user)),
  ],
  write: async (transaction, action, changed) => {
    await writeChanges(
      transaction,
      action,
      changed.map(({ before, values }) => ({ before: withVotes({ ...before }), values })),
    )
  },
}

/** The outcome and the time of a decision are both set, or neither: one does not come back without the other. */
async function findTimeObstacles(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const ids = [...previous].filter(([, values]) => 'outcome' in values || 'decided_at' in values)
  const present = await lockDecisions(
    transaction,
    ids.map(([id]) => id),
  )
  return present.flatMap((decision) => {
    const values = previous.get(decision.id) ?? {}
    const { outcome, decided_at } = { ...decision, ...values }
    if ((outcome === null) === (decided_at === null)) return []
    return ['outcome', 'decided_at']
      .filter((field) => field in values)
      .map((field) => ({ id: decision.id, field, reason: 'changed_since' as const }))
  })
}

/** The votes of others, and those on a decision that has been taken since. */
async function findVoteObstacles(
  transaction: Db,
  previous: PreviousValues,
  user: Viewer,
): Promise<Obstacle[]> {
  const votes = [...previous].flatMap(([id, values]) =>
    Object.keys(values).flatMap((field) => {
      const voter = voterOf(field)
      return voter === undefined ? [] : [{ id, field, voter }]
    }),
  )
  if (votes.length === 0) return []
  const present = await lockDecisions(transaction, idsOf(votes))
  const open = new Set(idsOf(present.filter(({ outcome }) => outcome === null)))
  return votes.flatMap(({ id, field, voter }): Obstacle[] => {
    if (voter !== user?.email) return [{ id, field, reason: 'not_yours' }]
    return open.has(id) ? [] : [{ id, field, reason: 'changed_since' }]
  })
}
