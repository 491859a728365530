import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { type JsonPage, readPage, readRecord, utc } from '#src/platform/database/sql.ts'
import { idTime } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { FiledIssue } from '#src/platform/trackers/issue.ts'
import type { FeedbackQuery } from './schema.ts'

const table = 'feedback'

const feedbackFields = sql`id, type, title, description, page, user_email, state, tracker, issue_id, url, attempts,
  last_failure, ${utc('created_at')}, ${utc('filed_at')}`

export const readFeedback = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table, fields: feedbackFields, id })

export function listFeedback(db: Db, { state, ...page }: FeedbackQuery): Promise<JsonPage> {
  const where = state ? [sql`state = ${state}`] : []
  return readPage(db, { table, fields: feedbackFields, where }, pageOf(page))
}

/** What is filed. */
export interface Submission {
  type: string
  title: string
  description: string
  page: string | null
  user_email: string | null
}

/** By what a submission that is sent again is known. */
export interface SubmissionKey {
  caller: string | null
  idempotency_key: string | null
  request_hash: string
}

/** Feedback that this process may file, for as long as it holds it. */
export interface HeldFeedback extends Submission {
  id: string
  created_at: Date
  /** This one counted; the first is the one at the submission. */
  attempts: number
  last_failure: string | null
}

/**
 * Writes new feedback, which is held at once.
 * @returns undefined when there is one by this caller and key already
 */
export async function insertFeedback(
  transaction: Db,
  id: string,
  { type, title, description, page, user_email }: Submission,
  { caller, idempotency_key, request_hash }: SubmissionKey,
  holdMs: number,
): Promise<HeldFeedback | undefined> {
  const { rows } = await sql<HeldFeedback>`
    insert into feedback (id, type, title, description, page, user_email, not_before, caller, idempotency_key,
      request_hash, created_at)
    values (${id}, ${type}, ${title}, ${description}, ${page}, ${user_email}, ${fromNow(holdMs)}, ${caller},
      ${idempotency_key}, ${request_hash}, ${idTime(id)})
    on conflict (caller, idempotency_key) where idempotency_key is not null do nothing
    returning ${heldFields}`.execute(transaction)
  return rows[0]
}

const heldFields = sql`id, type, title, description, page, user_email, created_at, attempts, last_failure`
const fromNow = (milliseconds: number) => sql`now() + ${milliseconds} * interval '1 millisecond'`

/** Takes feedback to file it, unless it is filed, or held. */
export async function holdFeedback(db: Db, id: string, holdMs: number): Promise<HeldFeedback | undefined> {
  const { rows } = await sql<HeldFeedback>`
    update feedback set attempts = attempts + 1, not_before = ${fromNow(holdMs)}
    where id = ${id} and state = 'pending' and not_before <= now() returning ${heldFields}`.execute(db)
  return rows[0]
}

/** Says what has come of feedback. Whoever finds out may say so. */
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

/** Says why feedback could not be filed, and until when it is left alone; where it stays held, at least until then. */
export async function recordFailure(
  db: Db,
  { id, attempts }: Pick<HeldFeedback, 'id' | 'attempts'>,
  { reason, pauseMs, staysHeld }: { reason: string; pauseMs: number; staysHeld: boolean },
): Promise<void> {
  const earliest = fromNow(pauseMs)
  await sql`
    update feedback set last_failure = ${reason},
      not_before = ${staysHeld ? sql`greatest(not_before, ${earliest})` : earliest}
    where id = ${id} and attempts = ${attempts} and state = 'pending'`.execute(db)
}

/** What has come of feedback so far. */
export type Outcome = { id: string; request_hash: string } & (
  | ({ state: 'filed' } & FiledIssue)
  | { state: 'pending'; last_failure: string | null; seconds_left: number }
)

/** Until it may be taken up: a whole number of seconds, 1 at least. */
const secondsLeft = sql`greatest(1, ceil(extract(epoch from not_before - now())))::int as seconds_left`
const outcomeFields = sql`id, request_hash, state, issue_id, url, last_failure, ${secondsLeft}`

export async function readOutcome(db: Db, id: string): Promise<Outcome | undefined> {
  const { rows } = await sql<Outcome>`select ${outcomeFields} from feedback where id = ${id}`.execute(db)
  return rows[0]
}

/** What has come of what this caller has sent with this key. */
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
