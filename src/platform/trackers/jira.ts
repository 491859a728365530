import type { TrackerConfig } from '#src/platform/config/tracker.ts'
import { factsOf, harmlessTitle, marker, textOf } from './harmless-text.ts'
import { type FiledIssue, type Issue, type IssueReference, TrackerFailure } from './issue.ts'
import { requestTracker, type TrackerApi, unreadable } from './request.ts'

interface IssueType {
  id: string
  name: string
  subtask?: boolean
}

/** Jira Cloud's REST API, version 3: https://developer.atlassian.com/cloud/jira/platform/rest/v3/ */
export function jiraTracker({ url, token, project }: TrackerConfig) {
  const encoded = Buffer.from(token).toString('base64')
  const api: TrackerApi = {
    name: 'Jira',
    project,
    secrets: [token, token.slice(token.indexOf(':') + 1), encoded],
    headers: { authorization: `Basic ${encoded}` },
  }
  const rest = `${url}/rest/api/3`
  const filedOf = (issue: { key?: unknown } | null): FiledIssue => {
    if (typeof issue?.key !== 'string') throw unreadable(api, { files: true })
    return { issue_id: issue.key, url: `${url}/browse/${issue.key}` }
  }

  /** The issue types that the token may create. They differ by project. */
  const readTypes = async (signal: AbortSignal): Promise<IssueType[]> => {
    const body = await requestTracker(api, {
      method: 'GET',
      url: `${rest}/issue/createmeta/${project}/issuetypes?maxResults=100`,
      signal,
    })
    const { issueTypes } = (body ?? {}) as { issueTypes?: IssueType[] }
    if (!Array.isArray(issueTypes)) throw unreadable(api, {})
    const types = issueTypes.filter(({ subtask }) => !subtask)
    if (types.length === 0)
      throw new TrackerFailure(
        `The token may not create issues in the Jira project ${project}; check TRACKER_TOKEN.`,
        {
          isRefusal: true,
        },
      )
    return types
  }

  return {
    file: async (issue: Issue, signal: AbortSignal): Promise<FiledIssue> => {
      const fields = {
        project: { key: project },
        issuetype: { id: typeFor(issue.label, await readTypes(signal)) },
        summary: harmlessTitle(issue.title),
        description: documentOf(issue),
        labels: [issue.reference, issue.label],
      }
      const request = { method: 'POST', url: `${rest}/issue`, body: { fields }, files: true, signal } as const
      return filedOf((await requestTracker(api, request)) as { key?: unknown })
    },

    find: async ({ reference }: IssueReference, signal: AbortSignal): Promise<FiledIssue | undefined> => {
      const jql = `project = "${project}" AND labels = "${reference}"`
      const body = await requestTracker(api, {
        method: 'POST',
        url: `${rest}/search/jql`,
        body: { jql, maxResults: 1, fields: ['key'] },
        signal,
      })
      const { issues } = (body ?? {}) as { issues?: { key: string }[] }
      if (!Array.isArray(issues)) throw unreadable(api, {})
      return issues[0] && filedOf(issues[0])
    },

    check: async (signal: AbortSignal): Promise<void> => {
      await readTypes(signal)
    },
  }
}

/** Uses the type Bug for bugs if it exists, else Task, else any type. */
function typeFor(label: string, types: IssueType[]): string {
  const named = (name: string) => types.find((type) => type.name.toLowerCase() === name)
  const type = (label === 'bug' ? named('bug') : undefined) ?? named('task') ?? types[0]
  return type?.id ?? ''
}

const textNode = (text: string, marks: object = {}) => ({ type: 'text', text, ...marks })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })

/** The body in Atlassian Document Format, whose text nodes have no markup. */
function documentOf(issue: Issue): object {
  const code = { marks: [{ type: 'code' }] }
  const facts = factsOf(issue).map(([name, value]) => paragraph(textNode(`${name}: `), textNode(value, code)))
  const text = textOf(issue)
  return {
    type: 'doc',
    version: 1,
    content: [
      paragraph(textNode(marker(issue))),
      ...facts,
      paragraph(textNode('stored at: '), textNode(issue.link, code)),
      ...(text ? [{ type: 'codeBlock', content: [textNode(text)] }] : []),
    ],
  }
}
