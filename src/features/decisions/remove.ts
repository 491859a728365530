import { type RawBuilder, sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyToTrash } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { lockDecisions } from './store.ts'
import { type AuthorizeChange, lockDecision } from './update.ts'
import { decisionActivity } from './write-changes.ts'

/** Deletes a decision. @throws NotFound, MissingPermission */
export const deleteDecision = (
  db: Db,
  authorize: AuthorizeChange,
  action: Action,
  id: string,
): Promise<void> =>
  inShortTransaction(db, async (transaction) => {
    authorize((await lockDecision(transaction, id)).author_email)
    await trashDecisions(transaction, action, [id])
  })

/**
 * Moves decisions to the trash.
 * @returns the ids of those that exist
 */
export async function trashDecisions(transaction: Db, action: Action, ids: string[]): Promise<string[]> {
  const decisions = await lockDecisions(transaction, ids)
  await move(transaction, action, sql`id = any(${ids})`)
  await recordAction(
    transaction,
    action,
    decisions.map((decision) => decisionActivity('decision_deleted', decision)),
  )
  return decisions.map(({ id }) => id)
}

/** Moves all decisions of locked companies to the trash, which come back with their companies. */
export async function trashDecisionsOf(transaction: Db, action: Action, companies: string[]): Promise<void> {
  const where = sql`company_id = any(${companies})`
  const { rows } = await sql<{ id: string; company_id: string }>`
    select id, company_id from decisions where ${where} order by id for update`.execute(transaction)
  if (rows.length === 0) return
  await move(transaction, action, where, sql`company_id`)
  await recordAction(
    transaction,
    action,
    rows.map((decision) => decisionActivity('decision_deleted', decision)),
  )
}

async function move(
  transaction: Db,
  action: Action,
  where: RawBuilder<unknown>,
  parent_id?: RawBuilder<unknown>,
): Promise<void> {
  await copyToTrash(transaction, action, 'decisions', where, {
    entity_type: 'decision',
    name: sql`(select companies.name from companies where companies.id = record.company_id)`,
    company_id: sql`company_id`,
    ...(parent_id && { parent_id }),
  })
  await sql`delete from decisions where ${where}`.execute(transaction)
}
