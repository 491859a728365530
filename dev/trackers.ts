import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a tracker fails. */
export type TrackerError =
  | { status: number; headers?: Record<string, string>; body?: unknown; hasDone?: boolean }
  /** Drops the connection before or after handling the request. */
  | { cut: 'before' | 'after' }
  | { delayMs: number }
  /** Handles the request but never responds. */
  | { isSilent: true }

/** An issue in the tracker. */
export interface TrackerIssue {
  id: string
  url: string
  title: string
  /** Markdown; for Jira, the document as JSON. */
  body: string
  labels: string[]
  created_at: string
  /** The creator; by default the service. */
  creator?: string
}

export interface TrackerRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  body: any
}

/** A mock tracker that rejects requests which violate the service's documented format. */
export interface TrackerServer {
  /** The settings for the service to use this tracker. */
  settings: Record<string, string>
  issues: TrackerIssue[]
  requests: TrackerRequest[]
  /** Requests that violated the format. */
  violations: string[]
  /** How long new issues are missing from search results. */
  searchDelayMs: number
  /** Called for each request; returns how to fail, or `undefined` to answer. */
  failWith: (request: TrackerRequest) => TrackerError | undefined
  close(): Promise<void>
}

type Answer = { status: number; body: unknown; headers?: Record<string, string> }
/** Handles a request. A failed assertion is recorded as a violation. */
type Respond = (request: TrackerRequest, tracker: TrackerServer) => Answer

const TOKEN = 'token-of-tests-0123456789'
const ok = (body: unknown): Answer => ({ status: 200, body })
const created = (body: unknown): Answer => ({ status: 201, body })

async function startTracker(
  settings: (origin: string) => Record<string, string>,
  respond: Respond,
): Promise<TrackerServer> {
  const server = createServer((request, response) => {
    answer(tracker, respond, request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const tracker: TrackerServer = {
    settings: settings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    issues: [],
    requests: [],
    violations: [],
    searchDelayMs: 0,
    failWith: () => undefined,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return tracker
}

async function answer(
  tracker: TrackerServer,
  respond: Respond,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = Buffer.concat(await incoming.toArray()).toString()
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://tracker')
  const request: TrackerRequest = {
    method: incoming.method ?? '',
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: text ? JSON.parse(text) : undefined,
  }
  tracker.requests.push(request)
  const failure = tracker.failWith(request)
  if (failure && 'cut' in failure && failure.cut === 'before') return void incoming.socket.destroy()
  if (failure && 'delayMs' in failure) await sleep(failure.delayMs)
  const isRefused = failure && 'status' in failure
  const done = isRefused && !failure.hasDone ? undefined : handle(tracker, respond, request)
  const given = done && !isRefused ? done : refusal(failure as { status: number })
  if (failure && 'isSilent' in failure) return
  if (failure && 'cut' in failure) return void incoming.socket.destroy()
  const { status, body } = given
  const headers = failure && 'headers' in failure ? failure.headers : given.headers
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** An error that leaks the token. */
const refusal = ({ status, body }: { status: number; body?: unknown }): Answer => ({
  status,
  body: body ?? { message: `simulated failure with ${TOKEN}` },
})

function handle(tracker: TrackerServer, respond: Respond, request: TrackerRequest): Answer {
  try {
    return respond(request, tracker)
  } catch (error) {
    tracker.violations.push(`${request.method} ${request.path}: ${(error as Error).message}`)
    return { status: 422, body: { message: (error as Error).message } }
  }
}

const hasKeys = (value: object, keys: string[]) => assert.deepEqual(Object.keys(value).sort(), keys.sort())
const isText = (value: unknown) => assert.equal(typeof value, 'string')

const known = ({ issues, searchDelayMs }: TrackerServer): TrackerIssue[] =>
  issues.filter(({ created_at }) => Date.parse(created_at) + searchDelayMs <= Date.now())

function addIssue(tracker: TrackerServer, issue: Omit<TrackerIssue, 'created_at'>): TrackerIssue {
  const added = { ...issue, created_at: new Date().toISOString() }
  tracker.issues.push(added)
  return added
}

/** Format: https://docs.github.com/rest/issues/issues and "Getting started with the REST API". */
export function startGithub(): Promise<TrackerServer> {
  const repository = '/repos/example/deals'
  const shown = (issue: TrackerIssue) => ({
    number: Number(issue.id),
    html_url: issue.url,
    title: issue.title,
    body: issue.body,
    created_at: issue.created_at,
  })
  return startTracker(
    (origin) => ({
      TRACKER: 'github',
      TRACKER_URL: origin,
      TRACKER_TOKEN: TOKEN,
      TRACKER_PROJECT: 'example/deals',
    }),
    ({ method, path, query, headers, body }, tracker) => {
      assert.match(headers['user-agent'] ?? '', /^deal-pipeline\//)
      assert.equal(headers.accept, 'application/vnd.github+json')
      assert.equal(headers['x-github-api-version'], '2022-11-28')
      if (headers.authorization !== `Bearer ${TOKEN}`)
        return { status: 401, body: { message: 'Bad credentials' } }
      if (method === 'GET' && path === '/user') return ok({ login: 'deals-bot' })
      if (method === 'GET' && path === repository) return ok({ has_issues: true, archived: false })
      if (path !== `${repository}/issues`) return { status: 404, body: { message: 'Not Found' } }
      if (method === 'POST') {
        hasKeys(body, ['title', 'body', 'labels'])
        isText(body.title)
        isText(body.body)
        assert.ok(body.title.length <= 256 && body.body.length <= 65_536)
        for (const label of body.labels) assert.ok(label.length <= 50, label)
        const id = String(tracker.issues.length + 1)
        const url = `https://github.com/example/deals/issues/${id}`
        return created(shown(addIssue(tracker, { id, url, ...body })))
      }
      assert.equal(method, 'GET')
      // For large repositories, GitHub rejects page numbers: 422, "please use cursor based pagination".
      for (const name of query.keys())
        assert.ok(
          ['creator', 'state', 'sort', 'direction', 'since', 'per_page', 'after'].includes(name),
          name,
        )
      assert.match(query.get('since') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
      const start = Number(query.get('after') ?? 0)
      const end = start + Number(query.get('per_page'))
      const creator = query.get('creator')
      const isAskedFor = (issue: TrackerIssue) => !creator || (issue.creator ?? 'deals-bot') === creator
      const found = query.get('state') === 'all' ? known(tracker).filter(isAskedFor) : []
      query.set('after', String(end))
      const next = `<${tracker.settings.TRACKER_URL}${path}?${query}>; rel="next"`
      return {
        ...ok(found.toReversed().slice(start, end).map(shown)),
        ...(end < found.length && { headers: { link: next } }),
      }
    },
  )
}

/** Format: https://docs.gitlab.com/api/issues/ and https://docs.gitlab.com/api/rest/authentication/ */
export function startGitlab(): Promise<TrackerServer> {
  const project = '/api/v4/projects/example%2Fdeals'
  const shown = (issue: TrackerIssue) => ({
    id: 1000 + Number(issue.id),
    iid: Number(issue.id),
    web_url: issue.url,
    description: issue.body,
  })
  return startTracker(
    (origin) => ({
      TRACKER: 'gitlab',
      TRACKER_URL: `${origin}/api/v4`,
      TRACKER_TOKEN: TOKEN,
      TRACKER_PROJECT: 'example/deals',
    }),
    ({ method, path, query, headers, body }, tracker) => {
      if (headers['private-token'] !== TOKEN) return { status: 401, body: { message: '401 Unauthorized' } }
      if (method === 'GET' && path === project) return ok({ issues_access_level: 'enabled', archived: false })
      if (path !== `${project}/issues`) return { status: 404, body: { message: '404 Project Not Found' } }
      if (method === 'POST') {
        hasKeys(body, ['title', 'description', 'labels'])
        for (const field of Object.values(body)) isText(field)
        assert.ok(body.title.length <= 255)
        const id = String(tracker.issues.length + 1)
        const url = `https://gitlab.com/example/deals/-/issues/${id}`
        const labels = body.labels.split(',')
        return created(
          shown(addIssue(tracker, { id, url, title: body.title, body: body.description, labels })),
        )
      }
      assert.equal(method, 'GET')
      assert.deepEqual([query.get('scope'), query.get('in')], ['all', 'description'])
      const search = query.get('search') ?? ''
      return ok(
        known(tracker)
          .filter((issue) => issue.body.includes(search))
          .map(shown),
      )
    },
  )
}

/** Format: https://linear.app/developers/graphql */
export function startLinear(): Promise<TrackerServer> {
  const team = '5c9d1a4e-2e6f-4b8a-8c1d-7a6b5c4d3e2f'
  const ids = new Map<string, TrackerIssue>()
  const shown = ({ id, url }: TrackerIssue) => ({ identifier: id, url })
  const labels = [
    { id: 'group', isGroup: true, team: null },
    { id: 'elsewhere', isGroup: false, team: { id: 'another' } },
    { id: 'ours', isGroup: false, team: { id: team } },
  ]
  const error = (code: string, message: string): Answer => ({
    status: 400,
    body: { errors: [{ message, extensions: { code } }] },
  })
  return startTracker(
    (origin) => ({
      TRACKER: 'linear',
      TRACKER_URL: `${origin}/graphql`,
      TRACKER_TOKEN: TOKEN,
      TRACKER_PROJECT: 'ENG',
    }),
    ({ method, path, headers, body }, tracker) => {
      assert.deepEqual([method, path, headers['content-type']], ['POST', '/graphql', 'application/json'])
      hasKeys(body, ['query', 'variables'])
      if (headers.authorization !== TOKEN) return error('AUTHENTICATION_ERROR', 'Authentication required')
      const { query, variables } = body
      if (/\bteams\(filter: \$team, first: 1\)/.test(query)) {
        const isOurs = variables.team.key?.eqIgnoreCase === 'ENG' || variables.team.id?.eq === team
        isText(variables.label)
        const found = variables.label === 'bug' ? labels : []
        return ok({ data: { teams: { nodes: isOurs ? [{ id: team }] : [] }, issueLabels: { nodes: found } } })
      }
      if (/\bissues\(filter: \{ id: \{ eq: \$id \} \}/.test(query)) {
        const found = ids.get(variables.id)
        return ok({ data: { issues: { nodes: found ? [shown(found)] : [] } } })
      }
      assert.match(query, /^mutation \w+\(\$input: IssueCreateInput!\)/)
      const { input } = variables
      hasKeys(input, ['id', 'teamId', 'labelIds', 'title', 'description'])
      assert.match(input.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(input.teamId, team)
      if (ids.has(input.id)) return error('INVALID_INPUT', 'This id is taken')
      const id = `ENG-${tracker.issues.length + 1}`
      const url = `https://linear.app/example/issue/${id}`
      const issue = { id, url, title: input.title, body: input.description, labels: input.labelIds }
      ids.set(input.id, addIssue(tracker, issue))
      return ok({ data: { issueCreate: { success: true, issue: { identifier: id, url } } } })
    },
  )
}

/** Format: https://developer.atlassian.com/cloud/jira/platform/rest/v3/ and "Basic auth for REST APIs". */
export function startJira(): Promise<TrackerServer> {
  const token = `ada@example.com:${TOKEN}`
  return startTracker(
    (origin) => ({ TRACKER: 'jira', TRACKER_URL: origin, TRACKER_TOKEN: token, TRACKER_PROJECT: 'PIPE' }),
    ({ method, path, headers, body }, tracker) => {
      if (headers.authorization !== `Basic ${Buffer.from(token).toString('base64')}`)
        return { status: 401, body: { message: 'Client must be authenticated to access this resource.' } }
      if (method === 'GET' && path === '/rest/api/3/issue/createmeta/PIPE/issuetypes')
        return ok({ startAt: 0, maxResults: 100, total: TYPES.length, issueTypes: TYPES })
      if (method === 'POST' && path === '/rest/api/3/search/jql') {
        const [, label = ''] = /^project = "PIPE" AND labels = "(fb_\w+)"$/.exec(body.jql) ?? []
        assert.ok(label, body.jql)
        const found = known(tracker).filter(({ labels }) => labels.includes(label))
        return ok({ issues: found.map(({ id }) => ({ id: '10000', key: id })), isLast: true })
      }
      if (method !== 'POST' || path !== '/rest/api/3/issue')
        return { status: 404, body: { errorMessages: ['No project could be found'] } }
      hasKeys(body, ['fields'])
      const { project, issuetype, summary, description, labels } = body.fields
      hasKeys(body.fields, ['project', 'issuetype', 'summary', 'description', 'labels'])
      assert.deepEqual(project, { key: 'PIPE' })
      assert.ok(TYPES.some(({ id, subtask }) => id === issuetype.id && !subtask))
      assert.ok(summary.length > 0 && summary.length <= 255 && !summary.includes('\n'))
      for (const label of labels) assert.match(label, /^\S{1,255}$/)
      checkDocument(description)
      const id = `PIPE-${tracker.issues.length + 1}`
      const url = `${tracker.settings.TRACKER_URL}/browse/${id}`
      addIssue(tracker, { id, url, title: summary, body: JSON.stringify(description), labels })
      return created({ id: '10000', key: id, self: `https://example.atlassian.net/rest/api/3/issue/10000` })
    },
  )
}

const TYPES = [
  { id: '1', name: 'Subtask', subtask: true },
  { id: '2', name: 'Bug', subtask: false },
  { id: '3', name: 'Task', subtask: false },
]

interface DocumentNode {
  type: string
  text?: string
  marks?: { type: string }[]
  content?: DocumentNode[]
}

/** Format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
function checkDocument(document: DocumentNode & { version: number }): void {
  assert.deepEqual([document.type, document.version], ['doc', 1])
  for (const block of document.content ?? []) {
    assert.ok(['paragraph', 'codeBlock'].includes(block.type), block.type)
    for (const node of block.content ?? []) {
      assert.equal(node.type, 'text')
      assert.ok(node.text)
      for (const mark of node.marks ?? []) assert.equal(mark.type, 'code')
    }
  }
}

/** All mock trackers by name. */
export const TRACKER_SERVERS = {
  github: startGithub,
  gitlab: startGitlab,
  linear: startLinear,
  jira: startJira,
}
