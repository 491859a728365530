import type { Config } from '#src/platform/config/config.ts'
import type { TrackerKind } from '#src/platform/config/tracker.ts'
import { githubTracker } from './github.ts'
import { gitlabTracker } from './gitlab.ts'
import type { FiledIssue, Issue, IssueReference } from './issue.ts'
import { jiraTracker } from './jira.ts'
import { linearTracker } from './linear.ts'

/** An issue tracker. Every method stops when the signal aborts. */
export interface Tracker {
  readonly kind: TrackerKind
  /**
   * Files an issue.
   * @throws TrackerFailure, whose `mayHaveFiled` says whether the issue may exist anyway
   */
  file(issue: Issue, signal: AbortSignal): Promise<FiledIssue>
  /**
   * Finds the issue that was filed for this reference. Reliable for issues that are at least minutes old.
   * @throws TrackerFailure
   */
  find(reference: IssueReference, signal: AbortSignal): Promise<FiledIssue | undefined>
  /**
   * Checks the token and the project.
   * @throws TrackerFailure
   */
  check(signal: AbortSignal): Promise<void>
}

export function createTracker({ tracker }: Pick<Config, 'tracker'>): Tracker {
  switch (tracker.kind) {
    case 'github':
      return { kind: 'github', ...githubTracker(tracker) }
    case 'gitlab':
      return { kind: 'gitlab', ...gitlabTracker(tracker) }
    case 'linear':
      return { kind: 'linear', ...linearTracker(tracker) }
    case 'jira':
      return { kind: 'jira', ...jiraTracker(tracker) }
    case 'local':
      return localTracker
  }
}

/** Without a tracker, the stored feedback is the issue. */
const localTracker: Tracker = {
  kind: 'local',
  file: async ({ reference, link }) => ({ issue_id: reference, url: link }),
  find: async () => undefined,
  check: async () => {},
}
