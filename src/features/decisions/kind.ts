import { sql } from 'kysely'
import type { Obstacle, PreviousValues, RecordKind } from '#src/features/trash/index.ts'
import { findMissingReferences } from '#src/features/trash/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
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
    ...(await findDealObstacles(transaction, previous)),
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

/** The deals that are gone, or that belong to another company by now. The others stay until the transaction ends. */
async function findDealObstacles(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const deals = [...previous].flatMap(([id, { deal_id }]) =>
    deal_id ? [{ id, deal_id: String(deal_id) }] : [],
  )
  if (deals.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select decisions.id from ${rowsFrom('wanted', { id: 'text', deal_id: 'text' }, deals)}
      join decisions on decisions.id = wanted.id
      join dealflow on dealflow.id = wanted.deal_id and dealflow.company_id = decisions.company_id
    for key share of dealflow`.execute(transaction)
  const possible = new Set(idsOf(rows))
  return deals.flatMap(({ id }) =>
    possible.has(id) ? [] : [{ id, field: 'deal_id', reason: 'record_missing' as const }],
  )
}

/** A day may be one more or less in the time zone of the workspace. */
const DAY_MS = 86_400_000

/**
 * The outcome and the time of a decision are both set, or neither: one does not come back without the other. Nor does a day
 * to look again that lies before the decision.
 */
async function findTimeObstacles(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const ids = [...previous].filter(([, values]) =>
    ['outcome', 'decided_at', 'revisit_on'].some((field) => field in values),
  )
  const present = await lockDecisions(
    transaction,
    ids.map(([id]) => id),
  )
  return present.flatMap((decision) => {
    const values = previous.get(decision.id) ?? {}
    const { outcome, decided_at, revisit_on } = { ...decision, ...values }
    const isTooEarly =
      decided_at !== null &&
      revisit_on !== null &&
      Date.parse(revisit_on) + 2 * DAY_MS <= Date.parse(decided_at)
    const isHalf = (outcome === null) !== (decided_at === null)
    const fields = [
      ...(isHalf ? ['outcome', 'decided_at'] : []),
      ...(isTooEarly ? ['decided_at', 'revisit_on'] : []),
    ]
    return [...new Set(fields)]
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
