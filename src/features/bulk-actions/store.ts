import { type RawBuilder, sql } from 'kysely'
import type { Json } from '#src/platform/answers.ts'
import type { Db } from '#src/platform/database.ts'
import { badRequest, breaksConstraint } from '#src/platform/errors.ts'
import { idTime } from '#src/platform/ids.ts'
import { asList, type JsonPage, readPage, readRecord, utc } from '#src/platform/sql.ts'
import type {
  ActionType,
  BulkActionCompanyQuery,
  BulkActionQuery,
  BulkActionStatus,
  Usage,
} from './schema.ts'
import type { Result } from './work-schema.ts'

const table = 'bulk_actions'

export const bulkActionFields = sql`id, action_type, status, total_companies, processed_companies, failed_companies,
  error_summary, waiting_for, jsonb_build_object('calls', model_calls, 'input_tokens', input_tokens, 'output_tokens',
  output_tokens) as usage, token_budget, thesis_id, force, priority, user_email, ${utc('created_at')}, ${utc('updated_at')}, ${utc('completed_at')}`

const knownFields = sql`id, action_type, status, priority, total_companies, processed_companies, failed_companies,
  error_summary, user_email, thesis_id, force, token_budget::float8, (input_tokens + output_tokens)::float8 as tokens`

/** What is looked at when an action changes. */
export interface KnownBulkAction extends StartedBulkAction {
  id: string
  status: BulkActionStatus
  total_companies: number
  processed_companies: number
  failed_companies: number
  error_summary: ErrorSummary
  /** Used so far. */
  tokens: number
}

export type ErrorSummary = Record<string, { count: number; example: { company_id: string; message: string } }>

export const readBulkAction = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table, fields: bulkActionFields, id })

export function listBulkActions(
  db: Db,
  user_email: string,
  { limit = 1000, offset = 0, status }: BulkActionQuery,
): Promise<JsonPage> {
  const where = [sql`user_email = ${user_email}`]
  if (status) where.push(sql`status = ${status}`)
  return readPage(db, { table, fields: bulkActionFields, where }, { limit, offset })
}

/** The companies of an action, in the order of their ids. */
export async function listCompanies(
  db: Db,
  id: string,
  { limit = 50, offset = 0, state }: BulkActionCompanyQuery,
): Promise<JsonPage> {
  const from = sql`from bulk_action_companies where bulk_action_id = ${id}
    ${state ? sql`and state = ${state}` : sql``}`
  const page = sql`select company_id, (select name from companies where companies.id = company_id) as name, state,
    attempts, error_kind, error ${from} order by company_id limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    select (${asList(page)}) as records, (select count(*)::float8 ${from}) as total`.execute(db)
  return rows[0] as JsonPage
}

/** What an action begins with. */
export interface StartedBulkAction {
  action_type: ActionType
  priority: number
  user_email: string | null
  thesis_id: string | null
  force: boolean
  token_budget: number | null
}

/**
 * Writes an action and its companies.
 * @throws HttpError 400 when there is no such company or thesis
 */
export async function insertBulkAction(
  db: Db,
  id: string,
  action: StartedBulkAction,
  company_ids: string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${company_ids}::text[]) with ordinality as asked(id, place)
    where not exists (select from companies where companies.id = asked.id) order by place limit 3`.execute(db)
  if (rows.length > 0)
    throw badRequest(
      `company_ids must be ids of companies; none has the id ${rows.map((row) => row.id.slice(0, 100)).join(' or ')}.`,
    )
  await sql`
    insert into bulk_actions (id, action_type, status, priority, total_companies, user_email, thesis_id, force,
      token_budget, created_at, updated_at)
    values (${id}, ${action.action_type}, 'pending', ${action.priority}, ${company_ids.length}, ${action.user_email},
      ${action.thesis_id}, ${action.force}, ${action.token_budget}, ${idTime(id)}, ${idTime(id)})`
    .execute(db)
    .catch((error) => {
      if (breaksConstraint(error, 'bulk_action_thesis_exists'))
        throw badRequest(`thesis_id must be the id of a thesis; none has the id ${action.thesis_id}.`)
      throw error
    })
  await sql`
    insert into bulk_action_companies (bulk_action_id, company_id)
    select ${id}, company_id from unnest(${company_ids}::text[]) company_id order by company_id`.execute(db)
}

/** Who is answerable for what comes of an action. */
export const actorOf = ({ user_email }: KnownBulkAction): { email: string } | null =>
  user_email === null ? null : { email: user_email }

/** The action as it is; undefined when there is none. */
export async function findBulkAction(db: Db, id: string): Promise<KnownBulkAction | undefined> {
  const { rows } = await sql<KnownBulkAction>`
    select ${knownFields} from bulk_actions where id = ${id}`.execute(db)
  return rows[0]
}

/** The action, which nobody else can change until the transaction ends; undefined when there is none. */
export async function lockBulkAction(transaction: Db, id: string): Promise<KnownBulkAction | undefined> {
  const { rows } = await sql<KnownBulkAction>`
    select ${knownFields} from bulk_actions where id = ${id} for update`.execute(transaction)
  return rows[0]
}

type Change = Partial<
  Pick<KnownBulkAction, 'status' | 'processed_companies' | 'failed_companies' | 'error_summary'>
> & { completed_at?: string | null; waiting_for?: string | null; token_budget?: number | null }

/** Writes the fields that are given. */
export async function changeBulkAction(transaction: Db, id: string, change: Change): Promise<void> {
  const columns: Record<keyof Change, RawBuilder<unknown>> = {
    status: sql`${change.status}`,
    processed_companies: sql`${change.processed_companies}::int`,
    failed_companies: sql`${change.failed_companies}::int`,
    error_summary: sql`${JSON.stringify(change.error_summary)}::json`,
    completed_at: sql`${change.completed_at}::timestamptz`,
    waiting_for: sql`${change.waiting_for}`,
    token_budget: sql`${change.token_budget}::bigint`,
  }
  const given = (Object.keys(columns) as (keyof Change)[]).filter((column) => change[column] !== undefined)
  const assignments = given.map((column) => sql`${sql.id(column)} = ${columns[column]}`)
  await sql`
    update bulk_actions set ${sql.join([...assignments, sql`updated_at = greatest(now(), ${change.completed_at ?? null}::timestamptz)`])} where id = ${id}`.execute(
    transaction,
  )
}

/** Which of these companies are in the action and pending; and which are not in it. */
export async function companiesOf(
  db: Db,
  id: string,
  company_ids: string[],
): Promise<{ pending: string[]; unknown: string[] }> {
  const { rows } = await sql<{ company_id: string; state: string }>`
    select company_id, state from bulk_action_companies
    where bulk_action_id = ${id} and company_id = any(${company_ids})`.execute(db)
  const known = new Set(rows.map(({ company_id }) => company_id))
  return {
    pending: rows.filter(({ state }) => state === 'pending').map(({ company_id }) => company_id),
    unknown: company_ids.filter((company_id) => !known.has(company_id)),
  }
}

/** Says what has become of companies that are pending. */
export async function settleCompanies(transaction: Db, id: string, results: Result[]): Promise<void> {
  const company_ids = results.map(({ company_id }) => company_id)
  await sql`
    update bulk_action_companies set state = case when settled.kind is null then 'processed' else 'failed' end,
      attempts = attempts + 1, error_kind = settled.kind, error = settled.message
    from unnest(${company_ids}::text[], ${results.map(({ error }) => error?.kind ?? null)}::text[],
      ${results.map(({ error }) => error?.message ?? null)}::text[]) as settled(company_id, kind, message)
    where bulk_action_id = ${id} and bulk_action_companies.company_id = settled.company_id
      and bulk_action_companies.company_id = any(${company_ids}) and state = 'pending'`.execute(transaction)
}

/** Adds what the language model has cost for companies that are settled now. */
export async function addUsage(transaction: Db, id: string, usages: Usage[]): Promise<void> {
  const sum = (field: keyof Usage) => usages.reduce((total, usage) => total + usage[field], 0)
  await sql`
    update bulk_actions set model_calls = model_calls + ${sum('calls')}::bigint,
      input_tokens = input_tokens + ${sum('input_tokens')}::bigint,
      output_tokens = output_tokens + ${sum('output_tokens')}::bigint
    where id = ${id}`.execute(transaction)
}

/**
 * Makes the failed companies pending again.
 * @returns which
 */
export async function reopenFailed(transaction: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    update bulk_action_companies set state = 'pending', error_kind = null, error = null
    where bulk_action_id = ${id} and state = 'failed' returning company_id`.execute(transaction)
  return rows.map(({ company_id }) => company_id)
}

export async function pendingCompanies(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    select company_id from bulk_action_companies
    where bulk_action_id = ${id} and state = 'pending'`.execute(db)
  return rows.map(({ company_id }) => company_id)
}

interface CompanyCounts {
  processed_companies: number
  failed_companies: number
  pending: number
}

/** How many companies of an action are in each state. */
export async function countCompanies(db: Db, id: string): Promise<CompanyCounts> {
  const { rows } = await sql<CompanyCounts>`
    select count(*) filter (where state = 'processed')::int as processed_companies,
      count(*) filter (where state = 'failed')::int as failed_companies,
      count(*) filter (where state = 'pending')::int as pending
    from bulk_action_companies where bulk_action_id = ${id}`.execute(db)
  return rows[0] as CompanyCounts
}

/** For each kind of error how many companies it hit, and the first of them. */
export async function summarizeErrors(db: Db, id: string): Promise<ErrorSummary> {
  const { rows } = await sql<{ kind: string; summary: ErrorSummary[string] }>`
    select error_kind as kind, json_build_object('count', count(*), 'example',
      (array_agg(json_build_object('company_id', company_id, 'message', error) order by company_id))[1]) as summary
    from bulk_action_companies where bulk_action_id = ${id} and state = 'failed' group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ kind, summary }) => [kind, summary]))
}
