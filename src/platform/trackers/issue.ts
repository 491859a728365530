/** By which an issue of ours is known again. */
export interface IssueReference {
  /** Such as `fb_01jw3f8x5zfq2v5n6k7m8p9r0s`. */
  reference: string
  created_at: Date
}

/** What is to be filed. All of it may be a stranger's words. */
export interface Issue extends IssueReference {
  title: string
  /** A lower_snake_case word. */
  label: string
  /** Names with what they stand for, in their order; those without a value are left out. */
  facts: Record<string, string | null>
  text: string
  /** Where the whole of it can be read. */
  link: string
}

export interface FiledIssue {
  issue_id: string
  url: string
}

interface FailureOptions extends ErrorOptions {
  /** Somebody has to see to the settings; it will not get better by itself. */
  isRefusal?: boolean
  /** The issue may be there all the same. */
  mayHaveFiled?: boolean
  /** For how long the tracker asks to be left alone. */
  pauseMs?: number | undefined
}

/** Nothing came of it. The message is a sentence for a person that leaks nothing. */
export class TrackerFailure extends Error {
  readonly isRefusal: boolean
  readonly mayHaveFiled: boolean
  readonly pauseMs: number

  constructor(
    message: string,
    { isRefusal = false, mayHaveFiled = false, pauseMs = 0, ...options }: FailureOptions = {},
  ) {
    super(message, options)
    this.isRefusal = isRefusal
    this.mayHaveFiled = mayHaveFiled
    this.pauseMs = pauseMs
  }
}
