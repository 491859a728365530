import type { Context } from '#src/context.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import { version } from '#src/platform/process/version.ts'
import type { QueuedJob } from '#src/platform/queue.ts'
import { type FiledIssue, type Issue, TrackerFailure } from '#src/platform/trackers/issue.ts'
import type { FeedbackJob } from './queue.ts'
import * as store from './store.ts'

const CHECK_INTERVAL_MS = 1000

type Parts = Pick<Context, 'config' | 'db' | 'log' | 'tracker' | 'feedbackQueue' | 'filingTiming'>

/**
 * Files feedback that is held, unless an issue is there already.
 * @throws TrackerFailure
 */
export async function fileFeedback(
  { config, db, tracker, filingTiming }: Parts,
  held: store.HeldFeedback,
): Promise<FiledIssue> {
  const isFirst = held.attempts === 1
  // Nobody waits for the later tries, which look before they file.
  const signal = AbortSignal.timeout(filingTiming.patienceMs * (isFirst ? 1 : 2))
  const issue = issueOf(held, config.publicUrl)
  try {
    const found = isFirst ? undefined : await tracker.find(issue, signal)
    const filed = found ?? (await tracker.file(issue, signal))
    await store.recordFiled(db, held.id, tracker.kind, filed)
    return filed
  } catch (error) {
    if (error instanceof TrackerFailure) {
      const { message: reason, retryAfterMs, mayHaveFiled: staysHeld } = error
      await store.recordFailure(db, held, { reason, retryAfterMs, staysHeld })
    }
    throw error
  }
}

function issueOf({ id, type, title, description, ...about }: store.HeldFeedback, publicUrl: string): Issue {
  return {
    reference: id,
    created_at: about.created_at,
    title,
    label: type,
    facts: { type, page: about.page, reporter: about.user_email, service: `deal-pipeline ${version}` },
    text: description,
    link: `${publicUrl}/api/feedback/${id}`,
  }
}

/**
 * Files what is in the queue, for as long as it takes.
 * @returns stops it, after what it is at
 */
export function startFiling(parts: Parts): () => Promise<void> {
  const { feedbackQueue, log } = parts
  const fileAll = async (stopped: AbortSignal): Promise<void> => {
    await feedbackQueue.start()
    while (!stopped.aborted) {
      const job = await feedbackQueue.fetch()
      if (!job) return
      await work(parts, job)
    }
  }
  return repeat(fileAll, CHECK_INTERVAL_MS, log)
}

async function work(parts: Parts, job: QueuedJob<FeedbackJob>): Promise<void> {
  const { db, log, feedbackQueue, filingTiming } = parts
  const id = job.data.feedback_id
  const held = await store.holdFeedback(db, id, filingTiming.holdMs)
  if (!held) {
    const outcome = await store.readOutcome(db, id)
    // A pause that grows, begun while it is held, would go on long after.
    if (outcome?.state === 'pending') return feedbackQueue.postpone(job, outcome.seconds_left)
    return feedbackQueue.complete(job)
  }
  try {
    const { url } = await fileFeedback(parts, held)
    await feedbackQueue.complete(job)
    log.info({ feedback: id, url }, 'feedback is filed')
  } catch (error) {
    if (!(error instanceof TrackerFailure)) throw error
    if (error.message !== held.last_failure)
      log.warn({ err: error, feedback: id }, 'feedback cannot be filed yet')
    await feedbackQueue.fail(job, error.message)
  }
}
