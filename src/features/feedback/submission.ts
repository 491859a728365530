import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#src/context.ts'
import { Conflict, Forbidden, KeyReused, orNotFound, Unavailable } from '#src/platform/errors.ts'
import { normalizeEmail, type User } from '#src/platform/identity/identity.ts'
import { newId } from '#src/platform/ids.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { TrackerFailure } from '#src/platform/trackers/issue.ts'
import { fileFeedback } from './filing.ts'
import type { NewFeedback, Submitted } from './schema.ts'
import * as store from './store.ts'

type Parts = Pick<Context, 'config' | 'db' | 'log' | 'tracker' | 'feedbackQueue' | 'filingTiming'>

const JOB_PRIORITY = 50
const POLL_INTERVAL_MS = 50

/**
 * Stores feedback and a job that retries filing, then files it.
 * @param idempotency_key lets the same caller send the same feedback again
 * @throws Forbidden for another user's email address, Conflict for a key already used with other feedback, Unavailable
 * if the feedback is stored but not filed yet, KeyReused
 */
export async function submitFeedback(
  parts: Parts,
  user: User | null,
  body: NewFeedback,
  idempotency_key: string | undefined,
): Promise<Submitted> {
  const { db, feedbackQueue, filingTiming } = parts
  const submission = normalizeSubmission(parts, user, body)
  const key = {
    caller: user?.email ?? null,
    idempotency_key: idempotency_key ?? null,
    request_hash: textHash(JSON.stringify(submission)),
  }
  await feedbackQueue.start()
  const id = newId('fb')
  const claimed = await db.transaction().execute(async (transaction) => {
    const inserted = await store.insertFeedback(transaction, id, submission, key, filingTiming.claimMs)
    const job = {
      data: { feedback_id: id },
      priority: JOB_PRIORITY,
      startAfter: filingTiming.queueDelaySeconds,
    }
    if (inserted) await feedbackQueue.send(transaction, [job])
    return inserted
  })
  return claimed ? fileNow(parts, claimed) : repeatAnswer(parts, key)
}

/**
 * Puts feedback that the tracker has rejected back into the queue.
 * @throws NotFound, Conflict for feedback that is not rejected
 */
export async function retryFeedback({ db, feedbackQueue }: Parts, id: string): Promise<void> {
  await feedbackQueue.start()
  await db.transaction().execute(async (transaction) => {
    const state = orNotFound(await store.makePending(transaction, id), 'feedback', id)
    if (state !== 'rejected')
      throw new Conflict(`The feedback is ${state}. Only rejected feedback can be retried.`)
    await feedbackQueue.send(transaction, [{ data: { feedback_id: id }, priority: JOB_PRIORITY }])
  })
}

/** Fills in the defaults, so that equal submissions are equal objects. */
function normalizeSubmission({ config }: Parts, user: User | null, body: NewFeedback): store.Submission {
  const { type = 'other', title, description = '', page = null } = body
  const user_email = body.user_email ? normalizeEmail(body.user_email) : (user?.email ?? null)
  if (config.enforceRoles && user_email !== user?.email)
    throw new Forbidden('user_email must be your own email address.')
  return { type, title: title.trim(), description, page, user_email }
}

/** @throws Unavailable after any error, because the feedback is stored and need not be sent again */
async function fileNow(parts: Parts, claimed: store.ClaimedFeedback): Promise<Submitted> {
  try {
    return { success: true, ...(await fileFeedback(parts, claimed)), id: claimed.id }
  } catch (error) {
    const reason = error instanceof TrackerFailure ? error.message : 'The issue may not have been filed.'
    throw filedLater(claimed.id, reason, error)
  }
}

const filedLater = (id: string, reason: string, cause?: unknown) =>
  new Unavailable(
    `${reason} Your feedback is saved as ${id} and will be filed later. You do not need to send it again.`,
    { cause },
  )

const rejected = (id: string, reason: string | null) =>
  new Unavailable(
    `${reason} Your feedback is saved as ${id}, and will be filed when a partner retries it (POST /api/feedback/${id}/retry).`,
  )

/** Answers a repeated submission like the first one, and waits while that is still being filed. */
async function repeatAnswer({ db, filingTiming }: Parts, key: store.SubmissionKey): Promise<Submitted> {
  const deadline = performance.now() + filingTiming.timeoutMs
  for (;;) {
    const outcome = await store.readOutcomeByKey(db, key)
    if (!outcome)
      throw new Conflict('The feedback with this Idempotency-Key was just deleted. Send it again.')
    if (outcome.request_hash !== key.request_hash)
      throw new KeyReused(
        'This Idempotency-Key was already used with another body. Use a new key for each submission.',
      )
    const { id } = outcome
    if (outcome.state === 'filed') return { success: true, issue_id: outcome.issue_id, url: outcome.url, id }
    if (outcome.state === 'rejected') throw rejected(id, outcome.last_failure)
    if (outcome.last_failure) throw filedLater(id, outcome.last_failure)
    if (performance.now() > deadline) throw filedLater(id, 'The issue tracker has not responded yet.')
    await sleep(POLL_INTERVAL_MS)
  }
}
