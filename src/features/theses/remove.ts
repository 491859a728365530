import { sql } from 'kysely'
import { type Action, changesOf, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { copyToTrash } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { timeAfter, utc } from '#src/platform/database/sql.ts'
import { Conflict } from '#src/platform/errors.ts'
import { MAX_THESIS_COMPANIES } from './schema.ts'

/**
 * Deletes a thesis.
 * @returns its id; undefined if it does not exist
 * @throws Conflict if too many companies have it
 */
export const deleteThesis = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inShortTransaction(db, async (transaction) =>
    (await trashThesis(transaction, action, id)) ? id : undefined,
  )

/**
 * Moves a thesis to the trash. Its companies remain without a thesis.
 * @returns whether it exists
 * @throws Conflict if it has too many companies
 */
export async function trashThesis(transaction: Db, action: Action, id: string): Promise<boolean> {
  const { rows } = await sql`select id from theses where id = ${id} for update`.execute(transaction)
  if (rows.length === 0) return false
  const companies = await lockCompaniesOf(transaction, id)
  await copyToTrash(transaction, action, 'theses', sql`id = ${id}`, {
    entity_type: 'thesis',
    name: sql`title`,
    company_id: sql`null`,
    attached: sql`'companies', ${JSON.stringify(companies.map((company) => company.id))}::json,
      'bulk_actions', coalesce((select json_agg(bulk_actions.id order by bulk_actions.id) from bulk_actions
        where thesis_id = record.id), '[]')`,
  })
  const changes = await setThesis(transaction, companies, id, null)
  await sql`delete from theses where id = ${id}`.execute(transaction)
  await recordAction(transaction, action, [
    ...changes,
    { activity_type: 'thesis_deleted', entity_type: 'thesis', entity_id: id },
  ])
  return true
}

interface LockedCompany {
  id: string
  updated_at: string
}

async function lockCompaniesOf(transaction: Db, thesis_id: string): Promise<LockedCompany[]> {
  const { rows } = await sql<LockedCompany>`
    select id, ${utc('updated_at')} from companies where thesis_id = ${thesis_id} order by id
    limit ${MAX_THESIS_COMPANIES + 1} for no key update`.execute(transaction)
  if (rows.length > MAX_THESIS_COMPANIES)
    throw new Conflict(
      `The thesis has more than ${MAX_THESIS_COMPANIES} companies. Give them another thesis first: PATCH /api/companies changes many at once.`,
    )
  return rows
}

/**
 * Assigns another thesis to locked companies, or none.
 * @returns the activity to record
 */
export async function setThesis(
  transaction: Db,
  companies: LockedCompany[],
  from: string | null,
  to: string | null,
): Promise<NewActivity[]> {
  const changed = companies.map(({ id, updated_at }) => ({ changed_id: id, time: timeAfter(updated_at) }))
  await sql`
    update companies set thesis_id = ${to}, updated_at = time::timestamptz
    from ${rowsFrom('changed', { changed_id: 'text', time: 'text' }, changed)} where id = changed_id`.execute(
    transaction,
  )
  return changed.map(({ changed_id, time }) => ({
    activity_type: 'company_updated',
    entity_type: 'company',
    entity_id: changed_id,
    company_id: changed_id,
    metadata: { fields: ['thesis_id'] },
    changes: changesOf({ thesis_id: from }, { thesis_id: to }),
    timestamp: time,
  }))
}
