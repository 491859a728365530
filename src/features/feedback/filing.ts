import type { Logger } from 'pino'
import type { Config } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import { version } from '#src/platform/process/version.ts'
import type { Queue, QueuedJob } from '#src/platform/queue.ts'
import { type FiledIssue, type Issue, TrackerFailure } from '#src/platform/trackers/issue.ts'
import type { Tracker } from '#src/platform/trackers/tracker.ts'
import type { FeedbackJob, FilingTiming } from './queue.ts'
import * as store from './store.ts'

const POLL_INTERVAL_MS = 1000

/** What filing needs of the context. */
interface FilingParts {
  config: Config
  db: Db
  log: Logger
  tracker: Tracker
  feedbackQueue: Queue<FeedbackJob>
  filingTiming: FilingTiming
}

/**
 * Files claimed feedback, unless the tracker already has an issue for it.
 * @param stopped ends an attempt that no user waits for, as if the tracker did not respond
 * @throws TrackerFailure if the tracker rejects the issue or does not respond
 */
export async function fileFeedback(
  { config, db, tracker, filingTiming }: FilingParts,
  claimed: store.ClaimedFeedback,
  stopped?: AbortSignal,
): Promise<FiledIssue> {
  const isFirst = claimed.attempts === 1
  // No user waits for later attempts, and they search before they file.
  const timeout = AbortSignal.timeout(filingTiming.timeoutMs * (isFirst ? 1 : 2))
  const signal = stopped ? AbortSignal.any([timeout, stopped]) : timeout
  const issue = toIssue(claimed, config.publicUrl)
  try {
    const found = isFirst ? undefined : await tracker.find(issue, signal)
    const filed = found ?? (await tracker.file(issue, signal))
    await store.recordFiled(db, claimed.id, tracker.kind, filed)
    return filed
  } catch (error) {
    if (error instanceof TrackerFailure) {
      const { message: reason, retryAfterMs, mayHaveFiled: keepsClaim } = error
      await store.recordFailure(db, claimed, { reason, retryAfterMs, keepsClaim })
    }
    throw error
  }
}

function toIssue(
  { id, type, title, description, ...about }: store.ClaimedFeedback,
  publicUrl: string,
): Issue {
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
 * Starts to file feedback from the queue.
 * @returns a function that ends the current attempt and stops
 */
export function startFiling(parts: FilingParts): () => Promise<void> {
  const { feedbackQueue, log } = parts
  const fileAll = async (stopped: AbortSignal): Promise<void> => {
    await feedbackQueue.start()
    while (!stopped.aborted) {
      const job = await feedbackQueue.fetch()
      if (!job) return
      await processJob(parts, job, stopped)
    }
  }
  return repeat(fileAll, POLL_INTERVAL_MS, log)
}

async function processJob(
  parts: FilingParts,
  job: QueuedJob<FeedbackJob>,
  stopped: AbortSignal,
): Promise<void> {
  const { db, log, feedbackQueue, filingTiming } = parts
  const id = job.data.feedback_id
  const claimed = await store.claimFeedback(db, id, filingTiming.claimMs)
  if (!claimed) {
    const outcome = await store.readOutcome(db, id)
    // Not a failure of the job: its growing backoff would last long after the claim ends.
    if (outcome?.state === 'pending') {
      const isFirstAttempt = outcome.last_failure === null
      // It may fail at any moment, long before its claim ends.
      const delay = isFirstAttempt ? Math.max(1, filingTiming.queueDelaySeconds) : outcome.seconds_left
      return feedbackQueue.postpone(job, Math.min(delay, outcome.seconds_left))
    }
    return feedbackQueue.complete(job)
  }
  try {
    const { url } = await fileFeedback(parts, claimed, stopped)
    await feedbackQueue.complete(job)
    log.info({ feedback: id, url }, 'feedback filed')
  } catch (error) {
    if (!(error instanceof TrackerFailure)) throw error
    if (error.message !== claimed.last_failure)
      log.warn({ err: error, feedback: id }, 'feedback cannot be filed yet')
    if (error.isRejection && (await store.giveUp(db, claimed))) await feedbackQueue.complete(job)
    else await feedbackQueue.fail(job, error.message)
  }
}
