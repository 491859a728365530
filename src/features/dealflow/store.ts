import { sql } from 'kysely'
import { type Changes, changesOf } from '#src/features/activity/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { onViolation } from '#src/platform/database/faults.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { type JsonPage, readPage, readRecord, timeAfter, utc } from '#src/platform/database/sql.ts'
import { InvalidReference } from '#src/platform/errors.ts'
import { idTime } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { type DealPatch, type DealQuery, type DealStages, type NewDeal, STAGES } from './schema.ts'
import type { DealflowTable } from './table.ts'

export { updateActivity } from './update-activity.ts'

export const dealFields = sql`id, company_id,
  (select name from companies where companies.id = dealflow.company_id) as company_name,
  stage, probability, notes, status, ${utc('created_at')}, ${utc('updated_at')}`

export function listDeals(db: Db, { stage, status, company_id, ...page }: DealQuery): Promise<JsonPage> {
  const where = []
  if (stage) where.push(sql`stage = ${stage}`)
  if (status) where.push(sql`status = ${status}`)
  if (company_id) where.push(sql`company_id = ${company_id}`)
  return readPage(db, { table: 'dealflow', fields: dealFields, where }, pageOf(page))
}

/** Counts the deals in each stage: known stages in board order, then others by name. */
export async function readStages(db: Db, status: string | undefined): Promise<DealStages> {
  const { rows } = await sql<DealStages[number]>`
    select stage, count(*)::float8 as deals, round(coalesce(sum(probability), 0) / 100.0, 1)::float8 as expected
    from dealflow where ${status ? sql`status = ${status}` : sql`true`} group by stage`.execute(db)
  const byStage = new Map(rows.map((row) => [row.stage, row]))
  const others = rows.filter(({ stage }) => !isKnown(stage)).sort((a, b) => (a.stage < b.stage ? -1 : 1))
  return [...STAGES.map((stage) => byStage.get(stage) ?? { stage, deals: 0, expected: 0 }), ...others]
}

const isKnown = (stage: string): boolean => (STAGES as readonly string[]).includes(stage)

export const readDeal = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'dealflow', fields: dealFields, id })

/** @throws InvalidReference if the company does not exist */
export async function insertDeal(db: Db, id: string, deal: NewDeal): Promise<void> {
  const { company_id, stage = 'initial', probability = null, notes = null, status = 'active' } = deal
  const time = idTime(id)
  const values = { id, company_id, stage, probability, notes, status, created_at: time, updated_at: time }
  await db
    .insertInto('dealflow')
    .values(values)
    .execute()
    .catch(
      onViolation(
        'dealflow_company_exists',
        () =>
          new InvalidReference('company_id must be the id of a company', [company_id], 'POST /api/companies'),
      ),
    )
}

/** The deal, locked until the transaction ends; undefined if there is none. */
export const lockDeal = (transaction: Db, id: string): Promise<DealflowTable | undefined> =>
  transaction.selectFrom('dealflow').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Changes a deal.
 * @param before the stored deal, locked by this transaction
 * @returns the former and new values of the fields that changed, and the time of the change
 */
export async function updateDeal(
  transaction: Db,
  before: DealflowTable,
  patch: DealPatch,
): Promise<{ changes: Changes; timestamp: string }> {
  const changes = changesOf(before, patch, Object.keys(patch))
  const timestamp = timeAfter(before.updated_at)
  if (Object.keys(changes).length > 0)
    await transaction
      .updateTable('dealflow')
      .set({ ...patch, updated_at: new Date(timestamp) })
      .where('id', '=', before.id)
      .execute()
  return { changes, timestamp }
}

/** The fields of a deal that change. */
export const DEAL_FIELDS = ['stage', 'probability', 'notes', 'status'] as const
