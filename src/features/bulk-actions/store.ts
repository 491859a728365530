import { type RawBuilder, sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { requireThesis, unknownThesis } from '#src/features/theses/index.ts'
import { unknownCompanies } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { onViolation } from '#src/platform/database/errors.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { isOneOf, type JsonPage, readPage, readRecord, utc } from '#src/platform/database/sql.ts'
import { idTime, siblingId } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { BulkActionCompanyQuery } from './company-schema.ts'
import type { ActionType, BulkActionQuery, BulkActionStatus, Existing, Usage } from './schema.ts'
import type { BlockReasons } from './waiting.ts'

const table = 'bulk_actions'

/** @param reasons why actions of a type cannot start; other types show the stored `waiting_for` */
const bulkActionFields = (
  reasons: BlockReasons,
) => sql`id, action_type, status, total_companies, processed_companies,
  failed_companies, kept_companies, error_summary, coalesce(case when status in ('pending', 'running') and reported_fields is null
  then ${JSON.stringify(reasons)}::jsonb ->> action_type end, waiting_for) as waiting_for,
  (reported_fields is not null) as external_worker, jsonb_build_object('calls', model_calls, 'input_tokens', input_tokens, 'output_tokens',
  output_tokens) as usage, token_budget, thesis_id, force, existing, priority, user_email, ${utc('created_at')}, ${utc('updated_at')}, ${utc('completed_at')}`

const stateFields = sql`id, action_type, status, priority, total_companies, processed_companies, failed_companies,
  kept_companies, error_summary, waiting_for, ${utc('completed_at')}, reported_fields, attempt, user_email, thesis_id, force, existing, token_budget::float8,
  (input_tokens + output_tokens)::float8 as tokens`

/** The state of an action that a change depends on. */
export interface BulkActionState extends BulkActionInput {
  id: string
  status: BulkActionStatus
  total_companies: number
  processed_companies: number
  failed_companies: number
  kept_companies: number
  error_summary: ErrorSummary
  completed_at: string | null
  /** The fields that an external worker has reported; null: no external worker. */
  reported_fields: string[] | null
  /** 1, and one more for each retry after the action has ended. */
  attempt: number
  /** Input and output tokens used so far. */
  tokens: number
}

export type ErrorSummary = Record<string, { count: number; example: { company_id: string; message: string } }>

export const readBulkAction = (db: Db, id: string, reasons: BlockReasons): Promise<Json | undefined> =>
  readRecord(db, { table, fields: bulkActionFields(reasons), id })

/** The actions of these ids as the API shows them. */
export async function readBulkActions(
  db: Db,
  ids: string[],
  reasons: BlockReasons,
): Promise<Map<string, Json>> {
  const { rows } = await sql<{ id: string; record: Json }>`
    select id, row_to_json(record)::text as record
    from (select ${bulkActionFields(reasons)} from bulk_actions where id = any(${ids})) record`.execute(db)
  return new Map(rows.map(({ id, record }) => [id, record]))
}

/** When the actions of these ids last changed. */
export async function readVersions(db: Db, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; version: string }>`
    select id, updated_at::text as version from bulk_actions where id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

export function listBulkActions(
  db: Db,
  user_email: string,
  { status, ...page }: BulkActionQuery,
  reasons: BlockReasons,
): Promise<JsonPage> {
  const where = [sql`user_email = ${user_email}`]
  if (status) where.push(isOneOf('status', status))
  return readPage(db, { table, fields: bulkActionFields(reasons), where }, pageOf(page))
}

/**
 * The companies of an action, by id or by the change of their score: the largest change first, then new scores, then entered
 * scores that were kept.
 */
export function listCompanies(
  db: Db,
  id: string,
  { state, sort, ...query }: BulkActionCompanyQuery,
): Promise<JsonPage> {
  const where = [sql`bulk_action_id = ${id}`]
  if (state) where.push(sql`state = ${state}`)
  const order = sql`order by ${sort === 'change' ? byChange : sql``} company_id`
  return readPage(db, { table: 'bulk_action_companies', fields: companyFields, where, order }, pageOf(query))
}

const companyFields = sql`company_id, (select name from companies where companies.id = company_id) as name, state,
  attempts, error_kind, error, previous_score, score, kept`

const byChange = sql`kept, abs(score - previous_score) desc nulls last, score desc nulls last,`

/** The fields of a new action. */
export interface BulkActionInput {
  action_type: ActionType
  priority: number
  user_email: string | null
  thesis_id: string | null
  force: boolean
  token_budget: number | null
  existing: Existing | null
  waiting_for: string | null
}

/**
 * Writes an action and its companies.
 * @throws InvalidInput if a company or the thesis does not exist
 */
export async function insertBulkAction(
  db: Db,
  id: string,
  action: BulkActionInput,
  company_ids: string[],
): Promise<void> {
  const companies = company_ids.map((id, position) => ({ id, place: position }))
  const { rows } = await sql<{ id: string }>`
    select requested.id from ${rowsFrom('requested', { id: 'text', place: 'int' }, companies)}
    where not exists (select from companies where companies.id = requested.id) order by place limit 3`.execute(
    db,
  )
  if (rows.length > 0)
    throw await unknownCompanies(
      db,
      'company_ids must be ids of companies',
      rows.map((row) => row.id),
    )
  await requireThesis(db, action.thesis_id)
  await sql`
    insert into bulk_actions (id, action_type, status, priority, total_companies, user_email, thesis_id, force,
      token_budget, existing, waiting_for, created_at, updated_at)
    values (${id}, ${action.action_type}, 'pending', ${action.priority}, ${company_ids.length}, ${action.user_email},
      ${action.thesis_id}, ${action.force}, ${action.token_budget}, ${action.existing}, ${action.waiting_for}, ${idTime(id)},
      ${idTime(id)})`
    .execute(db)
    .catch(onViolation('bulk_action_thesis_exists', () => unknownThesis(action.thesis_id)))
  await sql`
    insert into bulk_action_companies (bulk_action_id, company_id)
    select ${id}, given.id from ${rowsFrom('given', { id: 'text' }, companies)} order by given.id`.execute(db)
}

/** The user that an action's results are recorded under. */
export const actionUser = ({ user_email }: BulkActionState): { email: string } | null =>
  user_email === null ? null : { email: user_email }

/** The entry of the ledger for everything that an action changes. */
export const ledgerAction = (action: BulkActionState): Action => ({
  id: siblingId('ax', action.id),
  kind: 'bulk_action',
  via: 'bulk_action',
  user: actionUser(action),
})

/** The action; undefined if there is none. */
export async function findBulkAction(db: Db, id: string): Promise<BulkActionState | undefined> {
  const { rows } = await sql<BulkActionState>`
    select ${stateFields} from bulk_actions where id = ${id}`.execute(db)
  return rows[0]
}

/** The action, locked until the transaction ends; undefined if there is none. */
export async function lockBulkAction(transaction: Db, id: string): Promise<BulkActionState | undefined> {
  const { rows } = await sql<BulkActionState>`
    select ${stateFields} from bulk_actions where id = ${id} for update`.execute(transaction)
  return rows[0]
}

export type Change = Partial<
  Pick<
    BulkActionState,
    | 'status'
    | 'processed_companies'
    | 'failed_companies'
    | 'kept_companies'
    | 'error_summary'
    | 'completed_at'
    | 'waiting_for'
    | 'token_budget'
    | 'reported_fields'
    | 'attempt'
  >
>

/** Writes these fields. */
export async function changeBulkAction(transaction: Db, id: string, change: Change): Promise<void> {
  const columns: Record<keyof Change, RawBuilder<unknown>> = {
    status: sql`${change.status}`,
    processed_companies: sql`${change.processed_companies}::int`,
    failed_companies: sql`${change.failed_companies}::int`,
    kept_companies: sql`${change.kept_companies}::int`,
    error_summary: sql`${JSON.stringify(change.error_summary)}::json`,
    completed_at: sql`${change.completed_at}::timestamptz`,
    waiting_for: sql`${change.waiting_for}`,
    token_budget: sql`${change.token_budget}::bigint`,
    reported_fields: sql`${change.reported_fields}::text[]`,
    attempt: sql`${change.attempt}::int`,
  }
  const changed = (Object.keys(columns) as (keyof Change)[]).filter((column) => change[column] !== undefined)
  const assignments = changed.map((column) => sql`${sql.id(column)} = ${columns[column]}`)
  await sql`
    update bulk_actions set ${sql.join([...assignments, sql`updated_at = clock_timestamp()`])}
    where id = ${id}`.execute(transaction)
}

/** Stores what the included worker is waiting for. */
export async function setWaitingFor(db: Db, id: string, waiting_for: string | null): Promise<void> {
  await sql`
    update bulk_actions set waiting_for = ${waiting_for}, updated_at = now()
    where id = ${id} and status in ('pending', 'running') and reported_fields is null`.execute(db)
}

/** Adds language model usage, unless an external worker has taken over the action. */
export async function addUsage(transaction: Db, id: string, usages: Usage[]): Promise<void> {
  const sum = (field: keyof Usage) => usages.reduce((total, usage) => total + usage[field], 0)
  await sql`
    update bulk_actions set model_calls = model_calls + ${sum('calls')}::bigint,
      input_tokens = input_tokens + ${sum('input_tokens')}::bigint,
      output_tokens = output_tokens + ${sum('output_tokens')}::bigint
    where id = ${id} and reported_fields is null`.execute(transaction)
}
