import { type InsertObject, type RawBuilder, sql } from 'kysely'
import { type Changes, changesOf } from '#src/features/activity/index.ts'
import { patchedNames, withCustomNames } from '#src/features/fields/index.ts'
import { logoUrlOf } from '#src/features/logos/index.ts'
import { type NextStepColumn, nextStepColumn } from '#src/features/next-steps/index.ts'
import { unknownCompanies } from '#src/features/trash/index.ts'
import { requireOwner } from '#src/features/users/index.ts'
import type { Db, Tables } from '#src/platform/database/database.ts'
import { onViolation } from '#src/platform/database/errors.ts'
import type { Json } from '#src/platform/database/sql.ts'
import {
  isOneOf,
  type JsonPage,
  precompile,
  readPage,
  readRecord,
  timeAfter,
  utc,
} from '#src/platform/database/sql.ts'
import { InvalidReference } from '#src/platform/errors.ts'
import type { Fields } from '#src/platform/filter/fields.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { idTime } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { readDealFields } from './fields.ts'
import type { Deal, DealPatch, DealQuery, NewDeal } from './schema.ts'
import { changedSource, requireSource, sourceNameOf } from './source.ts'

/** The fields of a deal that change, apart from the date. */
const PLAIN_FIELDS = [
  ...['stage', 'probability', 'notes', 'status', 'owner_email', 'amount_eur', 'round', 'valuation_eur'],
  ...['ownership_percent', 'source', 'source_type', 'source_id', 'lost_reason', 'custom'],
]

/** The fields of a deal that change, as they are kept. */
export const storedDealFields = sql`${sql.raw(PLAIN_FIELDS.join(', '))}, expected_close_on::text as expected_close_on`

export const dealFields = precompile(sql`id, company_id,
  (select name from companies where companies.id = dealflow.company_id) as company_name,
  (select industry_category from companies where companies.id = dealflow.company_id) as company_industry_category,
  (select llm_score_overall from companies where companies.id = dealflow.company_id) as company_llm_score_overall,
  ${logoUrlOf(sql`dealflow.company_id`)} as company_logo_url,
  ${storedDealFields}, ${sourceNameOf(sql`dealflow.source_type`, sql`dealflow.source_id`)} as source_name, ${nextStepColumn('deal')},
  ${utc('stage_entered_at')}, ${utc('created_at')}, ${utc('updated_at')}`)

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listDeals(db: Db, caller: FilterCaller, query: DealQuery): Promise<JsonPage> {
  const selection = await dealSelection(db, caller, query)
  return readPage(db, { table: 'dealflow', fields: dealFields, ...selection }, pageOf(query))
}

/**
 * The conditions and the order of the list and of an export.
 * @throws InvalidInput for a filter, or a field to sort by, that is wrong
 */
export async function dealSelection(
  db: Db,
  caller: FilterCaller,
  { company_id, source_type, source_id, sort, ...query }: DealQuery,
): Promise<{ where: RawBuilder<unknown>[]; order: RawBuilder<unknown> | undefined }> {
  const fields = await readDealFields(db)
  const where = await dealConditions(fields, caller, query)
  if (company_id) where.push(isOneOf('company_id', company_id))
  if (source_type) where.push(isOneOf('source_type', source_type))
  if (source_id) where.push(isOneOf('source_id', source_id))
  return { where, order: sortOrder(sort, fields) }
}

/** The conditions that the list and the totals by stage share. @throws InvalidInput for a wrong filter */
export async function dealConditions(
  fields: Fields,
  caller: FilterCaller,
  { stage, status, owner_email, filter }: Pick<DealQuery, 'stage' | 'status' | 'owner_email' | 'filter'>,
): Promise<RawBuilder<unknown>[]> {
  const where = await filterConditions(filter, fields, caller)
  if (stage) where.push(sql`stage = any(${[stage].flat()})`)
  if (status) where.push(sql`status = any(${[status].flat()})`)
  if (owner_email) where.push(sql`owner_email = any(${[owner_email].flat()})`)
  return where
}

export const readDeal = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'dealflow', fields: dealFields, id })

const NO_SOURCE = { source_type: null, source_id: null }

/** @throws InvalidInput if the company, the owner, or the source does not exist, or the source is incomplete */
export async function insertDeal(db: Db, id: string, deal: NewDeal): Promise<void> {
  const { company_id, custom = {} } = deal
  const source = { ...NO_SOURCE, ...changedSource(NO_SOURCE, deal) }
  await requireOwner(db, deal.owner_email)
  await requireSource(db, source)
  const time = idTime(id)
  const values = {
    stage: 'initial',
    status: 'active',
    ...trimmed(deal),
    ...source,
    custom: JSON.stringify(custom),
    id,
    created_at: time,
    updated_at: time,
  }
  await db
    .insertInto('dealflow')
    .values(values as InsertObject<Tables, 'dealflow'>)
    .execute()
    .catch(
      onViolation(
        'dealflow_company_exists',
        () =>
          new InvalidReference('company_id must be the id of a company', [company_id], 'POST /api/companies'),
      ),
    )
}

/** A `catch` handler for a failed creation: says if the company is in the trash, or was merged. */
export const explainUnknownCompany =
  (db: Db, id: string) =>
  async (error: unknown): Promise<never> => {
    throw error instanceof InvalidReference
      ? await unknownCompanies(db, 'company_id must be the id of a company', [id])
      : error
  }

/** A deal as it is stored. */
export type StoredDeal = Omit<
  Deal,
  | 'company_name'
  | 'company_industry_category'
  | 'company_llm_score_overall'
  | 'company_logo_url'
  | 'source_name'
  | keyof NextStepColumn
  | 'stage_entered_at'
>

/** The deal, locked until the transaction ends; undefined if there is none. */
export const lockDeal = async (transaction: Db, id: string): Promise<StoredDeal | undefined> =>
  (await lockDeals(transaction, [id]))[0]

/** The deals that exist, locked until the transaction ends. */
export async function lockDeals(transaction: Db, ids: readonly string[]): Promise<StoredDeal[]> {
  const { rows } = await sql<StoredDeal>`
    select id, company_id, ${storedDealFields}, ${utc('created_at')}, ${utc('updated_at')} from dealflow
    where id = any(${ids}) order by id for update`.execute(transaction)
  return rows
}

/** Trims the short texts. */
function trimmed<Fields extends DealPatch>(fields: Fields): Fields {
  const filled = (['round', 'source', 'lost_reason'] as const).filter((field) => fields[field])
  return { ...fields, ...Object.fromEntries(filled.map((field) => [field, fields[field]?.trim()])) }
}

/**
 * Changes a deal.
 * @param before the stored deal, locked by this transaction
 * @param sent the fields to change; `custom`, if present, has all custom values
 * @returns the previous and new values of the fields that changed, and the time of the change
 * @throws InvalidInput if the new owner or source does not exist, or the source is incomplete
 */
export async function writeDeal(
  transaction: Db,
  before: StoredDeal,
  sent: DealPatch,
): Promise<{ changes: Changes; timestamp: string }> {
  const patch = { ...trimmed(sent), ...changedSource(before, sent) }
  const changes = changesOf(withCustomNames(before), withCustomNames(patch), patchedNames(before, patch))
  const timestamp = timeAfter(before.updated_at)
  if (changes.owner_email) await requireOwner(transaction, patch.owner_email)
  if (changes.source_type || changes.source_id) await requireSource(transaction, { ...before, ...patch })
  const { custom, ...others } = patch
  if (Object.keys(changes).length > 0)
    await transaction
      .updateTable('dealflow')
      .set({ ...others, ...(custom && { custom: JSON.stringify(custom) }), updated_at: new Date(timestamp) })
      .where('id', '=', before.id)
      .execute()
  return { changes, timestamp }
}
