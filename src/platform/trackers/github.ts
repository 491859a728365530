import type { TrackerConfig } from '../tracker-config.ts'
import { harmlessTitle, isMarked, markdownBody } from './harmless-text.ts'
import { type FiledIssue, type Issue, type IssueReference, TrackerFailure } from './issue.ts'
import { askTracker, type TrackerApi, unreadable } from './request.ts'

interface GithubIssue {
  number: number
  html_url: string
  created_at: string
  body: string | null
  pull_request?: object
}

const PAGE = 100
/** GitHub refuses an issue with a longer one; the body has the whole type. */
const LONGEST_LABEL = 50
/** Our clock and GitHub's may differ. */
const CLOCKS_DIFFER_MS = 3_600_000

/** GitHub's REST API, version 2022-11-28: https://docs.github.com/rest/issues/issues, on GitHub Enterprise Server too. */
export function githubTracker({ url, token, project }: TrackerConfig) {
  const api: TrackerApi = {
    name: 'GitHub',
    project,
    secrets: [token],
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    },
  }
  const repository = `${url}/repos/${project}`

  return {
    file: async (issue: Issue, signal: AbortSignal): Promise<FiledIssue> => {
      const body = await askTracker(api, {
        method: 'POST',
        url: `${repository}/issues`,
        body: {
          title: harmlessTitle(issue.title),
          body: markdownBody(issue),
          labels: [issue.label.slice(0, LONGEST_LABEL)],
        },
        files: true,
        signal,
      })
      return filedOf(api, body as GithubIssue)
    },

    /** Goes through the newest issues: GitHub's search does not know them at once, and labels may have been left out. */
    find: async (reference: IssueReference, signal: AbortSignal): Promise<FiledIssue | undefined> => {
      const since = new Date(reference.created_at.getTime() - CLOCKS_DIFFER_MS)
      for (let page = 1; ; page++) {
        const query = `state=all&sort=created&direction=desc&since=${since.toISOString()}&per_page=${PAGE}&page=${page}`
        const body = await askTracker(api, {
          method: 'GET',
          url: `${repository}/issues?${query}`,
          signal,
        })
        if (!Array.isArray(body)) throw unreadable(api, {})
        const issues = body as GithubIssue[]
        const found = issues.find((issue) => !issue.pull_request && isMarked(issue.body, reference))
        if (found) return filedOf(api, found)
        const oldest = issues.at(-1)
        if (!oldest || issues.length < PAGE || Date.parse(oldest.created_at) < since.getTime())
          return undefined
      }
    },

    check: async (signal: AbortSignal): Promise<void> => {
      const body = await askTracker(api, { method: 'GET', url: repository, signal })
      const { has_issues, archived } = (body ?? {}) as { has_issues?: boolean; archived?: boolean }
      if (has_issues === false || archived)
        throw new TrackerFailure(
          `GitHub takes no issues in ${project}: they are switched off, or it is archived.`,
          {
            isRefusal: true,
          },
        )
    },
  }
}

function filedOf(api: TrackerApi, issue: GithubIssue | null): FiledIssue {
  if (typeof issue?.number !== 'number' || typeof issue.html_url !== 'string')
    throw unreadable(api, { files: true })
  return { issue_id: String(issue.number), url: issue.html_url }
}
