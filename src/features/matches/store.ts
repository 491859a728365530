import { sql } from 'kysely'
import { type Actor, recordActivity } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Verdict } from './schema.ts'

/** The ranking follows this many verdicts of each kind, the latest ones. */
const MAX_FEEDBACK = 50

/** The companies that were judged last, by verdict. */
export async function readJudged(db: Db, thesis_id: string): Promise<{ up: string[]; down: string[] }> {
  const { rows } = await sql<{ company_id: string; verdict: 'up' | 'down' }>`
    select company_id, verdict from (
      select company_id, verdict, row_number() over (partition by verdict order by updated_at desc, company_id) as place
      from thesis_verdicts where thesis_id = ${thesis_id}
        and exists (select from companies where companies.id = company_id)) judged
    where place <= ${MAX_FEEDBACK} order by company_id`.execute(db)
  const of = (verdict: Verdict) =>
    rows.filter((row) => row.verdict === verdict).map(({ company_id }) => company_id)
  return { up: of('up'), down: of('down') }
}

/** Locks a company, so that verdicts on it are stored one after another. Undefined if there is none. */
export async function lockCompany(transaction: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from companies where id = ${id} for no key update`.execute(transaction)
  return rows[0]?.id
}

/**
 * Stores the verdict on a match, and records it.
 * @param transaction in which the company is locked
 */
export async function setVerdict(
  transaction: Db,
  user: Actor,
  { thesis_id, company_id, verdict }: { thesis_id: string; company_id: string; verdict: Verdict | null },
): Promise<void> {
  const { rows } = await sql<{ verdict: Verdict }>`
    select verdict from thesis_verdicts where thesis_id = ${thesis_id} and company_id = ${company_id}
    for update`.execute(transaction)
  const from = rows[0]?.verdict ?? null
  if (from === verdict) return
  if (verdict === null)
    await sql`
      delete from thesis_verdicts where thesis_id = ${thesis_id} and company_id = ${company_id}`.execute(
      transaction,
    )
  else
    await sql`
      insert into thesis_verdicts (thesis_id, company_id, verdict, user_email)
      values (${thesis_id}, ${company_id}, ${verdict}, ${user?.email ?? null})
      on conflict (thesis_id, company_id) do update
        set verdict = excluded.verdict, user_email = excluded.user_email, updated_at = excluded.updated_at`.execute(
      transaction,
    )
  await recordActivity(transaction, user, [
    {
      activity_type: 'match_judged',
      entity_type: 'thesis',
      entity_id: thesis_id,
      company_id,
      metadata: { from, to: verdict },
    },
  ])
}

/** Callers without a user share one view. */
const viewerOf = (user: Actor): string => user?.email ?? ''

/**
 * The moment of a list that is read after it. What open transactions write has times from after their start, so that it
 * is new to those who have seen the list. One that has only read for a minute, such as a backup, writes nothing.
 */
export async function readMoment(db: Db): Promise<string> {
  const { rows } = await sql<{ moment: Date }>`
    select least(clock_timestamp(), min(xact_start)) as moment from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and (backend_xid is not null or xact_start > now() - interval '1 minute')`.execute(db)
  return (rows[0] as { moment: Date }).moment.toISOString()
}

/**
 * Stores that a user has looked at the matches of a thesis. Returns the time.
 * @param until when the list was read; by default, now
 */
export async function markSeen(db: Db, user: Actor, thesis_id: string, until?: string): Promise<string> {
  const { rows } = await sql<{ seen_at: Date }>`
    insert into thesis_views (thesis_id, user_email, seen_at)
    values (${thesis_id}, ${viewerOf(user)}, least(clock_timestamp(), ${until ?? null}::timestamptz))
    on conflict (thesis_id, user_email) do update set seen_at = greatest(thesis_views.seen_at, excluded.seen_at)
    returning seen_at`.execute(db)
  return (rows[0] as { seen_at: Date }).seen_at.toISOString()
}

/** When a user last looked at the matches of a thesis; null: never. */
export async function readSeenAt(db: Db, user: Actor, thesis_id: string): Promise<string | null> {
  const { rows } = await sql<{ seen_at: Date }>`
    select seen_at from thesis_views where thesis_id = ${thesis_id} and user_email = ${viewerOf(user)}`.execute(
    db,
  )
  return rows[0]?.seen_at.toISOString() ?? null
}

/** Removes the verdicts on purged companies and theses, and who has looked at the theses. */
export async function removeVerdicts(transaction: Db, ids: string[]): Promise<void> {
  await sql`
    delete from thesis_verdicts where thesis_id = any(${ids}) or company_id = any(${ids})`.execute(
    transaction,
  )
  await sql`delete from thesis_views where thesis_id = any(${ids})`.execute(transaction)
}
