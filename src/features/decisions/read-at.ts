import { sql } from 'kysely'
import { readPast, recordAt, requirePast } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { utc } from '#src/platform/database/sql.ts'
import { NotFound } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { Decision, Outcome } from './schema.ts'
import { asOfOf, listVotes, readStored, type StoredDecision } from './store.ts'
import { withVoteNames, withVotes } from './write-changes.ts'

/**
 * A decision as it was at a time, with the present name of its company.
 * @throws InvalidInput for a time in the future, NotFound if it did not exist then, or is or was in the trash
 */
export async function readDecisionAt(db: Db, id: string, time: string): Promise<Decision> {
  requirePast(time)
  const [stored] = await readStored(db, sql`id = ${id}`)
  const present = await orTrashed(db, stored, 'decision', id)
  const [previous] = await readAllAt(db, [present], time)
  if (!previous)
    throw new NotFound(
      Date.parse(present.created_at) > Date.parse(time)
        ? `The decision ${id} did not exist at ${time}: it was created at ${present.created_at}.`
        : `At ${time}, the decision ${id} was in the trash. It has since been restored.`,
    )
  const { rows } = await sql<{ name: string; created_at: string }>`
    select name, ${utc('created_at')} from companies where id = any(${[previous.company_id, present.company_id]})
    order by id = ${previous.company_id} desc limit 1`.execute(db)
  const company = rows[0] as (typeof rows)[number]
  return {
    ...previous,
    company_name: company.name,
    votes: listVotes(previous.votes),
    as_of: asOfOf(previous, company.created_at),
  }
}

/** The decisions that existed at a time, as they were. */
async function readAllAt(db: Db, present: StoredDecision[], time: string): Promise<StoredDecision[]> {
  const past = await readPast(db, idsOf(present), time)
  return present.flatMap((decision) => {
    const named = { ...withVoteNames(decision), created_at: decision.created_at }
    const previous = recordAt(named, past.get(decision.id), time)
    return previous ? [withVotes(previous)] : []
  })
}

/** What a company shows of its latest decision. */
export interface LatestDecision {
  decision_outcome: Outcome | null
  revisit_on: string | null
}

/** What a company showed of its latest decision at a time. Decisions that are in the trash now are left out. */
export async function latestDecisionAt(db: Db, company_id: string, time: string): Promise<LatestDecision> {
  // Decisions that have left with a company that was split off were once this one's.
  const present = await readStored(
    db,
    sql`company_id = ${company_id} or id in (select entity_id from activity
      where activity.company_id = ${company_id} and entity_type = 'decision')`,
  )
  const [latest] = (await readAllAt(db, present, time))
    .filter((decision) => decision.company_id === company_id && decision.decided_at !== null)
    .sort((one, other) => (`${one.decided_at}${one.id}` < `${other.decided_at}${other.id}` ? 1 : -1))
  return { decision_outcome: latest?.outcome ?? null, revisit_on: latest?.revisit_on ?? null }
}
