import { type RawBuilder, sql } from 'kysely'
import { type Action, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { copyToTrash } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'

export interface DealOfCompany {
  id: string
  company_id: string
}

/** Deletes a deal. @returns its id; undefined if it does not exist */
export const deleteDeal = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inShortTransaction(db, async (transaction) => (await trashDeals(transaction, action, [id]))[0])

const entry = {
  entity_type: 'dealflow',
  name: sql`(select companies.name from companies where companies.id = record.company_id)`,
  company_id: sql`company_id`,
} as const

/**
 * Moves deals to the trash.
 * @returns the ids of those that exist
 */
export async function trashDeals(transaction: Db, action: Action, ids: string[]): Promise<string[]> {
  const where = sql`id = any(${ids})`
  const deals = await lockDeals(transaction, where)
  await copyToTrash(transaction, action, 'dealflow', where, entry)
  await sql`delete from dealflow where ${where}`.execute(transaction)
  await recordAction(
    transaction,
    action,
    deals.map((deal) => dealActivity('dealflow_deleted', deal)),
  )
  return deals.map(({ id }) => id)
}

/**
 * Moves all deals of companies to the trash, which come back with their companies.
 * @returns the activity to record
 */
export async function trashDealsOf(
  transaction: Db,
  action: Action,
  companies: string[],
): Promise<NewActivity[]> {
  const where = sql`company_id = any(${companies})`
  const deals = await lockDeals(transaction, where)
  await copyToTrash(transaction, action, 'dealflow', where, { ...entry, parent_id: sql`company_id` })
  await sql`delete from dealflow where ${where}`.execute(transaction)
  return deals.map((deal) => dealActivity('dealflow_deleted', deal))
}

async function lockDeals(transaction: Db, where: RawBuilder<unknown>): Promise<DealOfCompany[]> {
  const { rows } = await sql<DealOfCompany>`
    select id, company_id from dealflow where ${where} order by id for update`.execute(transaction)
  return rows
}

/** An activity record about a deal. */
export const dealActivity = (
  activity_type: `dealflow_${'deleted' | 'restored'}`,
  { id, company_id }: DealOfCompany,
): NewActivity => ({ activity_type, entity_type: 'dealflow', entity_id: id, company_id })
