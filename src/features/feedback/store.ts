import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { type JsonPage, readPage, readRecord, utc } from '#src/platform/database/sql.ts'
import { idTime } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { FiledIssue } from '#src/platform/trackers/issue.ts'
import type { FeedbackQuery, State } from './schema.ts'

const table = 'feedback'

const feedbackFields = sql`id, type, title, description, page, user_email, state, tracker, issue_id, url, attempts,
  last_failure, ${utc('created_at')}, ${utc('filed_at')}`

export const readFeedback = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table, fields: feedbackFields, id })

export function listFeedback(db: Db, { state, ...page }: FeedbackQuery): Promise<JsonPage> {
  const where = state ? [sql`state = ${state}`] : []
  return readPage(db, { table, fields: feedbackFields, where }, pageOf(page))
}

/** The content of feedback. */
export interface Submission {
  type: string
  title: string
  description: string
  page: string | null
  user_email: string | null
}

/** Identifies a repeated submission. */
export interface SubmissionKey {
  caller: string | null
  idempotency_key: string | null
  request_hash: string
}

/** Feedback that this process has claimed for filing. */
export interface ClaimedFeedback extends Submission {
  id: string
  created_at: Date
  /** Includes the current attempt. The first one is made at submission. */
  attempts: number
  last_failure: string | null
}

/**
 * Stores new feedback and claims it.
 * @returns undefined if this caller has already sent feedback with this key
 */
export async function insertFeedback(
  transaction: Db,
  id: string,
  { type, title, description, page, user_email }: Submission,
  { caller, idempotency_key, request_hash }: SubmissionKey,
  claimMs: number,
): Promise<ClaimedFeedback | undefined> {
  const { rows } = await sql<ClaimedFeedback>`
    insert into feedback (id, type, title, description, page, user_email, not_before, caller, idempotency_key,
      request_hash, created_at)
    values (${id}, ${type}, ${title}, ${description}, ${page}, ${user_email}, ${fromNow(claimMs)}, ${caller},
      ${idempotency_key}, ${request_hash}, ${idTime(id)})
    on conflict (caller, idempotency_key) where idempotency_key is not null do nothing
    returning ${claimFields}`.execute(transaction)
  return rows[0]
}

const claimFields = sql`id, type, title, description, page, user_email, created_at, attempts, last_failure`
const fromNow = (milliseconds: number) => sql`now() + ${milliseconds} * interval '1 millisecond'`

/** Claims feedback for filing. Returns undefined if it is filed, or claimed by another process. */
export async function claimFeedback(
  db: Db,
  id: string,
  claimMs: number,
): Promise<ClaimedFeedback | undefined> {
  const { rows } = await sql<ClaimedFeedback>`
    update feedback set attempts = attempts + 1, not_before = ${fromNow(claimMs)}
    where id = ${id} and state = 'pending' and not_before <= now() returning ${claimFields}`.execute(db)
  return rows[0]
}

/** Marks feedback as filed. Any process that finds the issue may do this, with or without a claim. */
export async function recordFiled(
  db: Db,
  id: string,
  tracker: string,
  { issue_id, url }: FiledIssue,
): Promise<void> {
  await sql`
    update feedback set state = 'filed', tracker = ${tracker}, issue_id = ${issue_id}, url = ${url}, filed_at = now(),
      last_failure = null
    where id = ${id} and state = 'pending'`.execute(db)
}

/** Stores why filing failed, and the earliest time of the next attempt. A kept claim is never shortened. */
export async function recordFailure(
  db: Db,
  { id, attempts }: Pick<ClaimedFeedback, 'id' | 'attempts'>,
  { reason, retryAfterMs, keepsClaim }: { reason: string; retryAfterMs: number; keepsClaim: boolean },
): Promise<void> {
  const earliest = fromNow(retryAfterMs)
  await sql`
    update feedback set last_failure = ${reason},
      not_before = ${keepsClaim ? sql`greatest(not_before, ${earliest})` : earliest}
    where id = ${id} and attempts = ${attempts} and state = 'pending'`.execute(db)
}

/** After so many attempts, a rejection is final. */
const MAX_REJECTED_ATTEMPTS = 5

/**
 * Ends the attempts to file feedback that the tracker rejects.
 * @returns whether they have ended; the first attempts may have met a tracker that was being set up
 */
export async function giveUp(db: Db, { id, attempts }: ClaimedFeedback): Promise<boolean> {
  if (attempts < MAX_REJECTED_ATTEMPTS) return false
  await sql`update feedback set state = 'rejected' where id = ${id} and state = 'pending' and attempts = ${attempts}`.execute(
    db,
  )
  return true
}

/**
 * Makes rejected feedback pending again.
 * @returns the state before, or undefined if there is no such feedback
 */
export async function makePending(transaction: Db, id: string): Promise<State | undefined> {
  const { rows } = await sql<{
    state: State
  }>`select state from feedback where id = ${id} for update`.execute(transaction)
  const state = rows[0]?.state
  if (state === 'rejected')
    await sql`update feedback set state = 'pending', not_before = now() where id = ${id}`.execute(transaction)
  return state
}

/** The state of filing. */
export type Outcome = { id: string; request_hash: string } & (
  | ({ state: 'filed' } & FiledIssue)
  | { state: 'pending' | 'rejected'; last_failure: string | null; seconds_left: number }
)

/** Whole seconds until the feedback may be claimed, at least 1. */
const secondsLeft = sql`greatest(1, ceil(extract(epoch from not_before - now())))::int as seconds_left`
const outcomeFields = sql`id, request_hash, state, issue_id, url, last_failure, ${secondsLeft}`

export async function readOutcome(db: Db, id: string): Promise<Outcome | undefined> {
  const { rows } = await sql<Outcome>`select ${outcomeFields} from feedback where id = ${id}`.execute(db)
  return rows[0]
}

/** The outcome of the submission with this caller and key. */
export async function readOutcomeByKey(
  db: Db,
  { caller, idempotency_key }: SubmissionKey,
): Promise<Outcome | undefined> {
  const { rows } = await sql<Outcome>`
    select ${outcomeFields} from feedback
    where (caller = ${caller} or (${caller}::text is null and caller is null)) and idempotency_key = ${idempotency_key}`.execute(
    db,
  )
  return rows[0]
}
