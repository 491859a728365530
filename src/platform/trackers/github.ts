import type { TrackerConfig } from '#src/platform/config/tracker.ts'
import { harmlessTitle, isMarked, markdownBody } from './harmless-text.ts'
import { type FiledIssue, type Issue, type IssueReference, TrackerFailure } from './issue.ts'
import { requestPage, requestTracker, type TrackerApi, unreadable } from './request.ts'

interface GithubIssue {
  number: number
  html_url: string
  created_at: string
  body: string | null
  pull_request?: object
}

/** GitHub's limit; the issue body has the full type. */
const MAX_LABEL_LENGTH = 50
/** Allows for a difference between our clock and GitHub's. */
const CLOCK_SKEW_MS = 3_600_000

const issuesDisabled = (project: string): string =>
  `GitHub accepts no issues in ${project}: issues are disabled. Enable them in the repository's settings, or change TRACKER_PROJECT.`

/**
 * GitHub's REST API, version 2022-11-28 (https://docs.github.com/rest/issues/issues). Also works with GitHub
 * Enterprise Server.
 */
export function githubTracker({ url, token, project }: TrackerConfig) {
  const api: TrackerApi = {
    name: 'GitHub',
    project,
    secrets: [token],
    refusals: { 410: issuesDisabled(project) },
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    },
  }
  const repository = `${url}/repos/${project}`

  /** The login that creates the issues, or `undefined` if the token may not read it. */
  const readLogin = async (signal: AbortSignal): Promise<string | undefined> => {
    const user = await requestTracker(api, { method: 'GET', url: `${url}/user`, signal }).catch((error) => {
      if (error instanceof TrackerFailure && error.isRefusal) return null
      throw error
    })
    return (user as { login?: string } | null)?.login
  }

  return {
    file: async (issue: Issue, signal: AbortSignal): Promise<FiledIssue> => {
      const body = await requestTracker(api, {
        method: 'POST',
        url: `${repository}/issues`,
        body: {
          title: harmlessTitle(issue.title),
          body: markdownBody(issue),
          labels: [issue.label.slice(0, MAX_LABEL_LENGTH)],
        },
        files: true,
        signal,
      })
      return filedOf(api, body as GithubIssue)
    },

    /**
     * Pages through our newest issues: GitHub's search index lags, and labels may be missing. Filters by creator,
     * because a busy repository has thousands of newer issues by others.
     */
    find: async (reference: IssueReference, signal: AbortSignal): Promise<FiledIssue | undefined> => {
      const since = new Date(reference.created_at.getTime() - CLOCK_SKEW_MS)
      const login = await readLogin(signal)
      const query = new URLSearchParams({
        ...(login && { creator: login }),
        state: 'all',
        sort: 'created',
        direction: 'desc',
        since: since.toISOString(),
        per_page: '100',
      })
      let address: string | undefined = `${repository}/issues?${query}`
      while (address) {
        const { body, next } = await requestPage(api, { method: 'GET', url: address, signal })
        if (!Array.isArray(body)) throw unreadable(api, {})
        const issues = body as GithubIssue[]
        const found = issues.find((issue) => !issue.pull_request && isMarked(issue.body, reference))
        if (found) return filedOf(api, found)
        const oldest = issues.at(-1)
        address = oldest && Date.parse(oldest.created_at) >= since.getTime() ? next : undefined
      }
      return undefined
    },

    check: async (signal: AbortSignal): Promise<void> => {
      const body = await requestTracker(api, { method: 'GET', url: repository, signal })
      const { has_issues, archived } = (body ?? {}) as { has_issues?: boolean; archived?: boolean }
      if (has_issues === false || archived)
        throw new TrackerFailure(
          archived
            ? `GitHub accepts no issues in ${project}: it is archived. Unarchive it, or change TRACKER_PROJECT.`
            : issuesDisabled(project),
          { isRefusal: true },
        )
    },
  }
}

function filedOf(api: TrackerApi, issue: GithubIssue | null): FiledIssue {
  if (typeof issue?.number !== 'number' || typeof issue.html_url !== 'string')
    throw unreadable(api, { files: true })
  return { issue_id: String(issue.number), url: issue.html_url }
}
