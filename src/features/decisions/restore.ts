import { type RawBuilder, sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyFromTrash, findTrashed, isMerged, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { moveDecisions } from './move.ts'
import { decisionActivity } from './write-changes.ts'

interface DecisionOfCompany {
  id: string
  company_id: string
}

/** Restores decisions, unless their company is gone. Those of a merged company come back to the survivor. */
export async function restoreDecisions(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const trashed = await lockTrashed(transaction, sql`id = any(${ids}) and not purging`)
  // A merge that has begun ends before its survivor is read, and none begins until the decisions are back.
  await lockCompanies(transaction, trashed)
  const merged = await findTrashed(
    transaction,
    trashed.map(({ company_id }) => company_id),
  )
  const entries = trashed.map(({ id, company_id }) => ({
    id,
    previous_id: company_id,
    company_id: merged.get(company_id)?.survivor ?? company_id,
  }))
  const companies = await lockCompanies(transaction, entries)
  const decisions = entries.filter(({ company_id }) => companies.has(company_id))
  await copyBack(transaction, sql`trash.id = any(${idsOf(decisions)})`)
  await recordRestored(transaction, action, decisions)
  await moveDecisions(
    transaction,
    action,
    decisions.flatMap(({ id, previous_id, company_id }) =>
      company_id === previous_id ? [] : [{ decision_id: id, from_id: previous_id, to_id: company_id }],
    ),
  )
  const refused = entries
    .filter(({ company_id }) => !companies.has(company_id))
    .map(({ id, company_id }) => ({
      id,
      reason: 'company_missing' as const,
      detail: `The company ${company_id} of the decision ${id} is in the trash. POST /api/trash/${company_id}/restore brings it back first.`,
    }))
  return { restored: idsOf(decisions), refused }
}

/**
 * Brings back the decisions that were deleted with companies, and records it.
 * @returns their ids
 */
export async function restoreDecisionsOf(
  transaction: Db,
  action: Action,
  companies: string[],
): Promise<string[]> {
  const where = sql`trash.company_id = any(${companies}) and parent_id = trash.company_id and entity_type = 'decision'`
  const decisions = await lockTrashed(transaction, where)
  await copyBack(transaction, where)
  await recordRestored(transaction, action, decisions)
  return idsOf(decisions)
}

async function copyBack(transaction: Db, where: RawBuilder<unknown>): Promise<void> {
  await copyFromTrash(transaction, 'decisions', where, {
    company_id: sql`coalesce((select trash.company_id from trash where trash.id = record.company_id and ${isMerged}),
      record.company_id)`,
  })
  await sql`delete from trash where ${where}`.execute(transaction)
}

const recordRestored = (transaction: Db, action: Action, decisions: readonly DecisionOfCompany[]) =>
  recordAction(
    transaction,
    action,
    decisions.map((decision) => decisionActivity('decision_restored', decision)),
  )

async function lockTrashed(transaction: Db, where: RawBuilder<unknown>): Promise<DecisionOfCompany[]> {
  const { rows } = await sql<DecisionOfCompany>`
    select id, company_id from trash where entity_type = 'decision' and ${where} order by id for update`.execute(
    transaction,
  )
  return rows
}

/** The ids of those companies that exist, locked until the transaction ends, because triggers write them. */
async function lockCompanies(
  transaction: Db,
  decisions: readonly DecisionOfCompany[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from companies where id = any(${decisions.map(({ company_id }) => company_id)})
    order by id for no key update`.execute(transaction)
  return new Set(idsOf(rows))
}
