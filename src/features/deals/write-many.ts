import { type RawBuilder, sql } from 'kysely'
import { type Action, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { utc } from '#src/platform/database/sql.ts'
import { idTime } from '#src/platform/ids.ts'
import type { DealPatch } from './schema.ts'
import { type StoredDeal, storedDealFields, writeDeal } from './store.ts'
import { updateActivity } from './update-activity.ts'

/** A deal as it is stored, with what an import recognizes it by. */
export type ImportedDeal = StoredDeal & { import_key: string | null }

const fields = sql`id, company_id, ${storedDealFields}, import_key, ${utc('created_at')}, ${utc('updated_at')}`

/** By which the rows of a file may be existing deals. */
export interface DealKeys {
  ids: readonly string[]
  /** Values of `import_key`. */
  keys: readonly string[]
  companyIds: readonly string[]
}

/** The deals with one of the ids or keys, or of one of the companies, oldest first. */
export async function readImportedDeals(
  db: Db,
  { ids, keys, companyIds }: DealKeys,
): Promise<ImportedDeal[]> {
  // Apart, so that each condition is looked up in its own index.
  return readRows(
    db,
    sql`dealflow where id in (select id from dealflow where id = any(${[...ids]}::text[])
      union all select id from dealflow where import_key = any(${[...keys]}::text[])
      union all select id from dealflow where company_id = any(${[...companyIds]}::text[])) order by id`,
  )
}

/** Those of the deals that exist, locked until the transaction ends. */
export const lockImportedDeals = (transaction: Db, ids: readonly string[]): Promise<ImportedDeal[]> =>
  readRows(transaction, sql`dealflow where id = any(${[...ids]}::text[]) order by id for update`)

/** The deals in the trash with one of the ids or keys, oldest first. */
export const readTrashedDeals = (
  db: Db,
  { ids, keys }: Pick<DealKeys, 'ids' | 'keys'>,
): Promise<ImportedDeal[]> =>
  readRows(
    db,
    sql`(select record.* from trash, json_populate_record(null::dealflow, content -> 'record') record
      where trash.entity_type = 'dealflow' and not purging and trash.id in (
        select id from trash where id = any(${[...ids]}::text[])
        union all select id from trash
          where entity_type = 'dealflow' and content -> 'record' ->> 'import_key' = any(${[...keys]}::text[]))
      order by trash.id) dealflow`,
  )

async function readRows(db: Db, from: RawBuilder<unknown>): Promise<ImportedDeal[]> {
  const { rows } = await sql<ImportedDeal>`select ${fields} from ${from}`.execute(db)
  return rows.map((deal) => ({ ...deal, custom: deal.custom ?? {} }))
}

/** A new deal in the first stage, without terms. */
export function newDeal(id: string, given: Pick<ImportedDeal, 'company_id' | 'import_key'>): ImportedDeal {
  const time = idTime(id).toISOString()
  return {
    ...{ id, stage: 'initial', status: 'active', probability: null, notes: null, owner_email: null },
    ...{ amount_eur: null, round: null, valuation_eur: null, ownership_percent: null, source: null },
    ...{ source_type: null, source_id: null, lost_reason: null, expected_close_on: null, custom: {} },
    ...{ created_at: time, updated_at: time },
    ...given,
  }
}

/** A statement has at most 65,535 parameters. */
const MAX_INSERTED = 1000

/**
 * Stores new deals, whose companies, owners, and sources exist, and records them.
 * @param metadata for each record of a creation, besides the stage
 */
export async function insertDeals(
  transaction: Db,
  action: Action,
  deals: readonly ImportedDeal[],
  metadata: Record<string, unknown>,
): Promise<void> {
  for (let start = 0; start < deals.length; start += MAX_INSERTED) {
    const rows = deals
      .slice(start, start + MAX_INSERTED)
      .map(({ custom, created_at, updated_at, ...deal }) => ({
        ...deal,
        custom: JSON.stringify(custom),
        created_at: new Date(created_at),
        updated_at: new Date(updated_at),
      }))
    await transaction.insertInto('dealflow').values(rows).execute()
  }
  await recordAction(
    transaction,
    action,
    deals.map(({ id, company_id, stage }) => ({
      ...{ activity_type: 'dealflow_created', entity_type: 'dealflow', entity_id: id, company_id },
      metadata: { stage, ...metadata },
    })),
  )
}

/** A locked deal, and what an import makes of it. */
export interface DealChange {
  before: ImportedDeal
  after: ImportedDeal
}

/**
 * Changes deals, which are locked by the transaction, and records it. Deals without a key for imports get one.
 * @throws InvalidInput if an owner or a source does not exist
 */
export async function writeDeals(
  transaction: Db,
  action: Action,
  changes: readonly DealChange[],
): Promise<void> {
  const activities: NewActivity[] = []
  for (const { before, after } of changes) {
    const { id: _id, company_id: _company, import_key: _key, created_at: _created, ...patch } = after
    const { updated_at: _updated, ...sent } = patch
    const { changes: written, timestamp } = await writeDeal(transaction, before, sent as DealPatch)
    activities.push(...updateActivity(before, written, timestamp))
  }
  await recordAction(transaction, action, activities)
  const keyed = changes.filter(({ before, after }) => before.import_key === null && after.import_key !== null)
  if (keyed.length === 0) return
  const keys = keyed.map(({ after: { id, import_key } }) => ({ id, import_key }))
  await sql`
    update dealflow set import_key = found.import_key
    from ${rowsFrom('found', { id: 'text', import_key: 'text' }, keys)} where dealflow.id = found.id`.execute(
    transaction,
  )
}
