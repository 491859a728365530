/** Identifies an issue that we filed. */
export interface IssueReference {
  /** Such as `fb_01jw3f8x5zfq2v5n6k7m8p9r0s`. */
  reference: string
  created_at: Date
}

/** An issue to file. Any part may contain user input. */
export interface Issue extends IssueReference {
  title: string
  /** A lower_snake_case word. */
  label: string
  /** Facts by name, in their order; null values are left out. */
  facts: Record<string, string | null>
  text: string
  /** The URL of the complete feedback. */
  link: string
}

export interface FiledIssue {
  issue_id: string
  url: string
}

interface FailureOptions extends ErrorOptions {
  /** The tracker rejects the settings; retrying does not help. */
  isRefusal?: boolean
  /** The tracker rejects this issue; others may be accepted. */
  isRejection?: boolean
  /** The issue may have been created despite the error. */
  mayHaveFiled?: boolean
  /** The delay that the tracker asks for. */
  retryAfterMs?: number | undefined
}

/** The request failed. The message is a full sentence without secrets. */
export class TrackerFailure extends Error {
  readonly isRefusal: boolean
  readonly isRejection: boolean
  readonly mayHaveFiled: boolean
  readonly retryAfterMs: number

  constructor(message: string, failure: FailureOptions = {}) {
    const {
      isRefusal = false,
      isRejection = false,
      mayHaveFiled = false,
      retryAfterMs = 0,
      ...options
    } = failure
    super(message, options)
    this.isRefusal = isRefusal
    this.isRejection = isRejection
    this.mayHaveFiled = mayHaveFiled
    this.retryAfterMs = retryAfterMs
  }
}
