import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#src/context.ts'
import { Conflict, Forbidden, Unavailable } from '#src/platform/errors.ts'
import { normalizeEmail, type User } from '#src/platform/identity/identity.ts'
import { newId } from '#src/platform/ids.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { TrackerFailure } from '#src/platform/trackers/issue.ts'
import { fileFeedback } from './filing.ts'
import type { NewFeedback, Submitted } from './schema.ts'
import * as store from './store.ts'

type Parts = Pick<Context, 'config' | 'db' | 'log' | 'tracker' | 'feedbackQueue' | 'filingTiming'>

const PRIORITY = 50
const CHECK_INTERVAL_MS = 50

/**
 * Keeps feedback, with the job that sees to it that it is filed, and files it.
 * @param idempotency_key by which the same caller may send the same again
 * @throws Forbidden for somebody else's name, Conflict for a key that came with something else, Unavailable when it is kept and
 * not filed yet
 */
export async function submitFeedback(
  parts: Parts,
  user: User | null,
  body: NewFeedback,
  idempotency_key: string | undefined,
): Promise<Submitted> {
  const { db, feedbackQueue, filingTiming } = parts
  const submission = submissionOf(parts, user, body)
  const key = {
    caller: user?.email ?? null,
    idempotency_key: idempotency_key ?? null,
    request_hash: textHash(JSON.stringify(submission)),
  }
  await feedbackQueue.start()
  const id = newId('fb')
  const held = await db.transaction().execute(async (transaction) => {
    const inserted = await store.insertFeedback(transaction, id, submission, key, filingTiming.holdMs)
    const job = { data: { feedback_id: id }, priority: PRIORITY, startAfter: filingTiming.jobAfterSeconds }
    if (inserted) await feedbackQueue.send(transaction, [job])
    return inserted
  })
  return held ? fileNow(parts, held) : answerAgain(parts, key)
}

/** What was sent, in one form whatever was left out. */
function submissionOf({ config }: Parts, user: User | null, body: NewFeedback): store.Submission {
  const { type = 'other', title, description = '', page = null } = body
  const user_email = body.user_email ? normalizeEmail(body.user_email) : (user?.email ?? null)
  if (config.production && user_email !== user?.email)
    throw new Forbidden(
      'user_email must be your own: in production everybody sends feedback in their own name.',
    )
  return { type, title: title.trim(), description, page, user_email }
}

/** @throws Unavailable whatever goes wrong: it is kept, and must not be sent again */
async function fileNow(parts: Parts, held: store.HeldFeedback): Promise<Submitted> {
  try {
    return { success: true, ...(await fileFeedback(parts, held)), id: held.id }
  } catch (error) {
    const isTold = error instanceof TrackerFailure
    throw kept(held.id, isTold ? error.message : 'It is not known yet whether it has been filed.', error)
  }
}

const kept = (id: string, reason: string, cause?: unknown) =>
  new Unavailable(
    `${reason} Your feedback is kept as ${id} and will be filed later; there is no need to send it again.`,
    { cause },
  )

/** Answers what was sent before; while its first try is on the way, it is waited for. */
async function answerAgain({ db, filingTiming }: Parts, key: store.SubmissionKey): Promise<Submitted> {
  const deadline = performance.now() + filingTiming.patienceMs
  for (;;) {
    const outcome = await store.readOutcomeByKey(db, key)
    if (!outcome)
      throw new Conflict('What was sent with this Idempotency-Key has just been removed. Send it again.')
    if (outcome.request_hash !== key.request_hash)
      throw new Conflict(
        'This Idempotency-Key came with another body before. Use a new key for each submission.',
      )
    const { id } = outcome
    if (outcome.state === 'filed') return { success: true, issue_id: outcome.issue_id, url: outcome.url, id }
    if (outcome.last_failure) throw kept(id, outcome.last_failure)
    if (performance.now() > deadline) throw kept(id, 'It is not filed yet.')
    await sleep(CHECK_INTERVAL_MS)
  }
}
