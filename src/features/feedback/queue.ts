/** The queue of what the tracker has not taken at once. */
export const FEEDBACK_QUEUE = 'feedback'

/** A job of the queue. */
export interface FeedbackJob {
  feedback_id: string
}

/** How long filing waits for what. */
export interface FilingTiming {
  /** For the tracker, while somebody waits for the answer. */
  patienceMs: number
  /**
   * Until feedback whose filer has fallen silent, or does not know what the tracker has made of it, is taken up again.
   * Jira's search may not know an issue for minutes (its "Search and reconcile").
   */
  holdMs: number
  /** Until the queue looks whether the first try has succeeded. */
  jobAfterSeconds: number
}

export const FILING_TIMING: FilingTiming = { patienceMs: 5000, holdMs: 300_000, jobAfterSeconds: 10 }
/** Between two tries of the queue. */
export const MAX_RETRY_DELAY_SECONDS = 300
