import type { Config } from '#src/platform/config/config.ts'
import type { TrackerKind } from '#src/platform/config/tracker.ts'
import { githubTracker } from './github.ts'
import { gitlabTracker } from './gitlab.ts'
import type { FiledIssue, Issue, IssueReference } from './issue.ts'
import { jiraTracker } from './jira.ts'
import { linearTracker } from './linear.ts'

/** Where issues are filed. All of it gives up when the signal says so. */
export interface Tracker {
  readonly kind: TrackerKind
  /** @throws TrackerFailure, which says whether the issue may be there all the same */
  file(issue: Issue, signal: AbortSignal): Promise<FiledIssue>
  /**
   * The issue that was filed under this reference already. One that was filed minutes ago is found for sure.
   * @throws TrackerFailure
   */
  find(reference: IssueReference, signal: AbortSignal): Promise<FiledIssue | undefined>
  /**
   * Sees whether the token and the project are right.
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

/** What is kept here anyway is its own issue. */
const localTracker: Tracker = {
  kind: 'local',
  file: async ({ reference, link }) => ({ issue_id: reference, url: link }),
  find: async () => undefined,
  check: async () => {},
}
