import { createHash } from 'node:crypto'
import type { TrackerConfig } from '#src/platform/config/tracker.ts'
import { harmlessTitle, markdownBody } from './harmless-text.ts'
import { type FiledIssue, type Issue, type IssueReference, TrackerFailure } from './issue.ts'
import { excerpt, requestTracker, type TrackerApi, type TrackerRequest, unreadable } from './request.ts'
import { sentence } from './stated-reason.ts'

interface LinearIssue {
  identifier: string
  url: string
}

interface Label {
  id: string
  isGroup: boolean
  team: { id: string } | null
}

interface Destination {
  teams: { nodes: { id: string }[] }
  issueLabels: { nodes: Label[] }
}

const PLACE = `query Place($team: TeamFilter!, $label: String!) {
  teams(filter: $team, first: 1) { nodes { id } }
  issueLabels(filter: { name: { eqIgnoreCase: $label } }, first: 50) { nodes { id isGroup team { id } } }
}`
const FIND = `query Find($id: ID!) {
  issues(filter: { id: { eq: $id } }, includeArchived: true, first: 1) { nodes { identifier url } }
}`
const FILE = `mutation File($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { identifier url } }
}`

/** Linear accepts a version 4 UUID for a new issue. Deriving it from the reference prevents duplicates. */
export function linearId(reference: string): string {
  const hash = createHash('sha256').update(`deal-pipeline ${reference}`).digest('hex')
  const variant = '89ab'[Number.parseInt(hash.charAt(16), 16) % 4]
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** Linear's GraphQL API: https://linear.app/developers/graphql */
export function linearTracker({ url, token, project }: TrackerConfig) {
  const authorization = token.startsWith('lin_oauth_') ? `Bearer ${token}` : token
  const api: TrackerApi = {
    name: 'Linear',
    project: `team ${project}`,
    secrets: [token],
    headers: { authorization },
  }
  const ask = <T>(query: string, variables: object, { signal, files = false }: AskOptions) =>
    askGraphql<T>(api, { method: 'POST', url, body: { query, variables }, files, signal })

  const readDestination = async (label: string, signal: AbortSignal) => {
    const team = /-/.test(project) ? { id: { eq: project } } : { key: { eqIgnoreCase: project } }
    const { teams, issueLabels } = await ask<Destination>(PLACE, { team, label }, { signal })
    const [{ id: teamId } = { id: '' }] = teams.nodes
    if (!teamId)
      throw new TrackerFailure(
        `Linear has no team ${project} that the token can access; check TRACKER_PROJECT.`,
        {
          isRefusal: true,
        },
      )
    const fits = (found: Label) => !found.isGroup && (found.team === null || found.team.id === teamId)
    return {
      teamId,
      labelIds: issueLabels.nodes
        .filter(fits)
        .map(({ id }) => id)
        .slice(0, 1),
    }
  }

  return {
    file: async (issue: Issue, signal: AbortSignal): Promise<FiledIssue> => {
      const input = {
        id: linearId(issue.reference),
        ...(await readDestination(issue.label, signal)),
        title: harmlessTitle(issue.title),
        description: markdownBody(issue),
      }
      const { issueCreate } = await ask<{ issueCreate: { issue: LinearIssue | null } | null }>(
        FILE,
        { input },
        { signal, files: true },
      )
      return filedOf(api, issueCreate?.issue)
    },

    find: async ({ reference }: IssueReference, signal: AbortSignal): Promise<FiledIssue | undefined> => {
      const { issues } = await ask<{ issues: { nodes: LinearIssue[] } }>(
        FIND,
        { id: linearId(reference) },
        { signal },
      )
      const [found] = issues.nodes
      return found && filedOf(api, found)
    },

    check: async (signal: AbortSignal): Promise<void> => {
      await readDestination('bug', signal)
    },
  }
}

interface AskOptions {
  signal: AbortSignal
  files?: boolean
}

interface GraphqlAnswer<T> {
  data?: T | null
  errors?: { message?: string; extensions?: { code?: string; type?: string } }[]
}

/** Linear rejects requests with status 200 or 400 and a code in the body. */
async function askGraphql<T>(api: TrackerApi, request: TrackerRequest): Promise<T> {
  const body = await requestTracker(api, { ...request, explains: true })
  const { data, errors } = (body ?? {}) as GraphqlAnswer<T>
  const [error] = errors ?? []
  if (error) throw refusalOf(api, error, request)
  if (!data) throw unreadable(api, request)
  return data
}

type GraphqlError = NonNullable<GraphqlAnswer<unknown>['errors']>[number]

function refusalOf(
  { secrets }: TrackerApi,
  { message = '', extensions = {} }: GraphqlError,
  { files = false }: TrackerRequest,
): TrackerFailure {
  const cause = new Error(excerpt(message, secrets))
  const code = extensions.code ?? extensions.type ?? ''
  if (/RATELIMITED/i.test(code))
    return new TrackerFailure('Linear is rate limited.', { cause, retryAfterMs: 60_000 })
  if (/AUTHENTICATION|FORBIDDEN/i.test(code))
    return new TrackerFailure('Linear rejects the token; check TRACKER_TOKEN and its permissions.', {
      cause,
      isRefusal: true,
    })
  if (/INTERNAL/i.test(code)) return new TrackerFailure('Linear failed.', { cause, mayHaveFiled: files })
  const reason = message ? `: ${excerpt(sentence(message), secrets)}` : '.'
  return new TrackerFailure(`Linear rejected the request${reason}`, { isRejection: true, cause })
}

function filedOf(api: TrackerApi, issue: LinearIssue | null | undefined): FiledIssue {
  if (typeof issue?.identifier !== 'string' || typeof issue.url !== 'string')
    throw unreadable(api, { files: true })
  return { issue_id: issue.identifier, url: issue.url }
}
