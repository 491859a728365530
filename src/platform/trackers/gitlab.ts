import type { TrackerConfig } from '#src/platform/config/tracker.ts'
import { harmlessTitle, isMarked, markdownBody } from './harmless-text.ts'
import { type FiledIssue, type Issue, type IssueReference, TrackerFailure } from './issue.ts'
import { requestTracker, type TrackerApi, unreadable } from './request.ts'

interface GitlabIssue {
  iid: number
  web_url: string
  description: string | null
}

/**
 * Breaks quick actions, which are lines that start with `/close` and similar. GitLab ignores them in code, but it
 * takes a shorter fence inside ours for the end of the code.
 */
const withoutQuickActions = (text: string): string => text.replace(/^([^\S\n]*)\/(?=\w)/gm, '$1\u200b/')

/** GitLab's REST API, version 4: https://docs.gitlab.com/api/issues/ */
export function gitlabTracker({ url, token, project }: TrackerConfig) {
  const api: TrackerApi = { name: 'GitLab', project, secrets: [token], headers: { 'private-token': token } }
  const address = `${url}/projects/${encodeURIComponent(project)}`

  return {
    file: async (issue: Issue, signal: AbortSignal): Promise<FiledIssue> => {
      const body = await requestTracker(api, {
        method: 'POST',
        url: `${address}/issues`,
        body: {
          title: harmlessTitle(issue.title),
          description: markdownBody({ ...issue, text: withoutQuickActions(issue.text) }),
          labels: issue.label,
        },
        files: true,
        signal,
      })
      return filedOf(api, body as GitlabIssue)
    },

    find: async (reference: IssueReference, signal: AbortSignal): Promise<FiledIssue | undefined> => {
      const query = `scope=all&in=description&search=${reference.reference}&per_page=100`
      const body = await requestTracker(api, { method: 'GET', url: `${address}/issues?${query}`, signal })
      if (!Array.isArray(body)) throw unreadable(api, {})
      const found = (body as GitlabIssue[]).find(({ description }) => isMarked(description, reference))
      return found && filedOf(api, found)
    },

    check: async (signal: AbortSignal): Promise<void> => {
      const body = await requestTracker(api, { method: 'GET', url: address, signal })
      const { issues_access_level, archived } = (body ?? {}) as {
        issues_access_level?: string
        archived?: boolean
      }
      if (issues_access_level === 'disabled' || archived)
        throw new TrackerFailure(
          archived
            ? `GitLab accepts no issues in ${project}: it is archived. Unarchive it, or change TRACKER_PROJECT.`
            : `GitLab accepts no issues in ${project}: issues are disabled. Enable them in the project's settings, or change TRACKER_PROJECT.`,
          { isRefusal: true },
        )
    },
  }
}

function filedOf(api: TrackerApi, issue: GitlabIssue | null): FiledIssue {
  if (typeof issue?.iid !== 'number' || typeof issue.web_url !== 'string')
    throw unreadable(api, { files: true })
  return { issue_id: String(issue.iid), url: issue.web_url }
}
