import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyFromTrash, lockEntries, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { utc } from '#src/platform/database/sql.ts'
import { setThesis } from './remove.ts'

/** Keeps others from taking the code of a thesis until the transaction ends. */
export const lockCodes = (transaction: Db) =>
  sql`lock table theses in share row exclusive mode`.execute(transaction)

/** Restores a thesis, unless its code is taken. Assigns it to its previous companies that have no other thesis. */
export async function restoreThesis(transaction: Db, action: Action, id: string): Promise<Restoration> {
  const [entry] = await lockEntries(transaction, 'thesis', [id])
  if (!entry) return { restored: [], refused: [] }
  await lockCodes(transaction)
  const { rows } = await sql<{ id: string; code: string }>`
    select theses.id, code from theses, trash
    where trash.id = ${id} and code = content -> 'record' ->> 'code'`.execute(transaction)
  const [other] = rows
  if (other) {
    const detail = `The thesis ${other.id} has the code ${other.code} now. Change its code, then restore ${id}.`
    return { restored: [], refused: [{ id, reason: 'code_taken', detail }] }
  }
  await copyFromTrash(transaction, 'theses', sql`trash.id = ${id}`)
  const companies = await sql<{ id: string; updated_at: string }>`
    select companies.id, ${utc('updated_at')} from companies
    where thesis_id is null and companies.id in (
      select json_array_elements_text(content -> 'companies') from trash where trash.id = ${id})
    order by companies.id for no key update`.execute(transaction)
  const changes = await setThesis(transaction, companies.rows, null, id)
  await sql`
    update bulk_actions set thesis_id = ${id} where thesis_id is null and id in (
      select json_array_elements_text(content -> 'bulk_actions') from trash where trash.id = ${id})`.execute(
    transaction,
  )
  await sql`delete from trash where id = ${id}`.execute(transaction)
  await recordAction(transaction, action, [
    { activity_type: 'thesis_restored', entity_type: 'thesis', entity_id: id },
    ...changes,
  ])
  return { restored: [id], refused: [] }
}
