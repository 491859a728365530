import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { ErrorSummary } from './store.ts'
import type { Result } from './work-schema.ts'

/** Of these companies, those that are pending in the action and those that are not in it. */
export async function classifyCompanies(
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

const SETTLED_COLUMNS = { company_id: 'text', state: 'text', kind: 'text', message: 'text' } as const

/** Marks pending companies as processed, perhaps with a warning, or failed. */
export async function recordOutcomes(transaction: Db, id: string, results: Result[]): Promise<void> {
  const company_ids = results.map(({ company_id }) => company_id)
  const settled = results.map(({ company_id, error, warning }) => ({
    company_id,
    state: error ? 'failed' : 'processed',
    kind: (error ?? warning)?.kind ?? null,
    message: (error ?? warning)?.message ?? null,
  }))
  await sql`
    update bulk_action_companies set state = settled.state,
      attempts = attempts + 1, error_kind = settled.kind, error = settled.message
    from ${rowsFrom('settled', SETTLED_COLUMNS, settled)}
    where bulk_action_id = ${id} and bulk_action_companies.company_id = settled.company_id
      and bulk_action_companies.company_id = any(${company_ids})
      and bulk_action_companies.state = 'pending'`.execute(transaction)
}

/**
 * Makes the failed companies pending again.
 * @returns their ids
 */
export async function resetFailed(transaction: Db, id: string): Promise<string[]> {
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

/** What an action has found for a company. */
export interface ScoreChange {
  company_id: string
  previous_score: number | null
  score: number | null
  /** Whether the company keeps the previous score. */
  kept: boolean
}

export async function recordScoreChanges(transaction: Db, id: string, changes: ScoreChange[]): Promise<void> {
  const columns = { company_id: 'text', previous_score: 'int', score: 'int', kept: 'boolean' } as const
  await sql`
    update bulk_action_companies set previous_score = found.previous_score, score = found.score, kept = found.kept
    from ${rowsFrom('found', columns, changes)}
    where bulk_action_id = ${id} and bulk_action_companies.company_id = found.company_id`.execute(transaction)
}

interface CompanyCounts {
  processed_companies: number
  failed_companies: number
  pending: number
  kept_companies: number
}

/** The number of an action's companies in each state. */
export async function countCompanies(db: Db, id: string): Promise<CompanyCounts> {
  const { rows } = await sql<CompanyCounts>`
    select count(*) filter (where state = 'processed')::int as processed_companies,
      count(*) filter (where state = 'failed')::int as failed_companies,
      count(*) filter (where state = 'pending')::int as pending,
      count(*) filter (where kept and state = 'processed')::int as kept_companies
    from bulk_action_companies where bulk_action_id = ${id}`.execute(db)
  return rows[0] as CompanyCounts
}

/** For each kind of error or warning, the number of companies it affected and the first of them. */
export async function summarizeErrors(db: Db, id: string): Promise<ErrorSummary> {
  const { rows } = await sql<{ kind: string; summary: ErrorSummary[string] }>`
    select error_kind as kind, json_build_object('count', count(*), 'example',
      (array_agg(json_build_object('company_id', company_id, 'message', error) order by company_id))[1]) as summary
    from bulk_action_companies where bulk_action_id = ${id} and error_kind is not null group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ kind, summary }) => [kind, summary]))
}

/**
 * Moves as few companies as possible between states to match the counters, because an external worker reports numbers,
 * not companies.
 * @returns the number of processed companies that keep an entered score
 */
export async function matchCompanies(
  transaction: Db,
  id: string,
  processed: number,
  failed: number,
): Promise<number> {
  const { processed_companies, failed_companies } = await countCompanies(transaction, id)
  await moveCompanies(transaction, id, processed_companies - processed, 'processed', 'pending')
  await moveCompanies(transaction, id, failed_companies - failed, 'failed', 'pending')
  await moveCompanies(transaction, id, processed - processed_companies, 'pending', 'processed')
  await moveCompanies(transaction, id, failed - failed_companies, 'pending', 'failed')
  return (await countCompanies(transaction, id)).kept_companies
}

type State = 'pending' | 'processed' | 'failed'

const REPORTED_FAILURE =
  'An external worker reported only the number of failed companies. This company is counted as one of them.'

async function moveCompanies(
  transaction: Db,
  id: string,
  count: number,
  from: State,
  to: State,
): Promise<void> {
  if (count <= 0) return
  const [error_kind, error] = to === 'failed' ? ['reported', REPORTED_FAILURE] : [null, null]
  await sql`
    update bulk_action_companies set state = ${to}, error_kind = ${error_kind}, error = ${error}
    where bulk_action_id = ${id} and company_id = any(array(
      select company_id from bulk_action_companies where bulk_action_id = ${id} and state = ${from}
      order by company_id ${to === 'pending' ? sql`desc` : sql``} limit ${count}))`.execute(transaction)
}
