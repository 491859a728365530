import { sql } from 'kysely'
import type { Json } from '#src/platform/answers.ts'
import { changedFields } from '#src/platform/changes.ts'
import type { Db } from '#src/platform/database.ts'
import { badRequest, breaksConstraint } from '#src/platform/errors.ts'
import { idTime } from '#src/platform/ids.ts'
import { type JsonPage, readPage, readRecord, utc } from '#src/platform/sql.ts'
import type { DealflowTable } from '#src/platform/tables.ts'
import type { DealPatch, DealQuery, NewDeal } from './schema.ts'

export const dealFields = sql`id, company_id,
  (select name from companies where companies.id = dealflow.company_id) as company_name,
  stage, probability, notes, status, ${utc('created_at')}, ${utc('updated_at')}`

export function listDeals(
  db: Db,
  { limit = 1000, offset = 0, stage, status, company_id }: DealQuery,
): Promise<JsonPage> {
  const where = []
  if (stage) where.push(sql`stage = ${stage}`)
  if (status) where.push(sql`status = ${status}`)
  if (company_id) where.push(sql`company_id = ${company_id}`)
  return readPage(db, { table: 'dealflow', fields: dealFields, where }, { limit, offset })
}

export const readDeal = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'dealflow', fields: dealFields, id })

/** @throws HttpError 400 when there is no such company */
export async function insertDeal(db: Db, id: string, deal: NewDeal): Promise<void> {
  const { company_id, stage = 'initial', probability = null, notes = null, status = 'active' } = deal
  const time = idTime(id)
  const values = { id, company_id, stage, probability, notes, status, created_at: time, updated_at: time }
  await db
    .insertInto('dealflow')
    .values(values)
    .execute()
    .catch((error) => {
      if (breaksConstraint(error, 'dealflow_company_exists'))
        throw badRequest(`company_id must be the id of a company; none has the id ${company_id}.`)
      throw error
    })
}

/**
 * Changes a deal.
 * @returns the deal as it was and the names of the fields that changed, or undefined when there is no such deal
 */
export async function updateDeal(
  db: Db,
  id: string,
  patch: DealPatch,
): Promise<{ before: DealflowTable; changed: (keyof DealPatch)[] } | undefined> {
  const before = await db
    .selectFrom('dealflow')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return undefined
  const changed = changedFields(before, patch)
  if (changed.length > 0)
    await db
      .updateTable('dealflow')
      .set({ ...patch, updated_at: new Date() })
      .where('id', '=', id)
      .execute()
  return { before, changed }
}
