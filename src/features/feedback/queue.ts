/** The queue of feedback that could not be filed immediately. */
export const FEEDBACK_QUEUE = 'feedback'

/** A job in the queue. */
export interface FeedbackJob {
  feedback_id: string
}

/** Timeouts and delays of filing. */
export interface FilingTiming {
  /** Timeout for the tracker while the user waits for the response. */
  timeoutMs: number
  /**
   * Time for which a process claims feedback. If it dies, or does not know whether the tracker has filed the issue, the
   * next attempt waits this long: Jira's search may not find a new issue for minutes ("Search and reconcile").
   */
  claimMs: number
  /** Delay until the queue checks whether the first attempt succeeded. */
  queueDelaySeconds: number
}

export const FILING_TIMING: FilingTiming = { timeoutMs: 5000, claimMs: 300_000, queueDelaySeconds: 10 }
/** Longest delay between two attempts of the queue. */
export const MAX_RETRY_DELAY_SECONDS = 300
