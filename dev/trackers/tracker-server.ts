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

export type Answer = { status: number; body: unknown; headers?: Record<string, string> }
/** Handles a request. A failed assertion is recorded as a violation. */
type Respond = (request: TrackerRequest, tracker: TrackerServer) => Answer

export const TOKEN = 'token-of-tests-0123456789'
export const ok = (body: unknown): Answer => ({ status: 200, body })
export const created = (body: unknown): Answer => ({ status: 201, body })

export async function startTracker(
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

async function requestOf(incoming: IncomingMessage): Promise<TrackerRequest> {
  const text = Buffer.concat(await incoming.toArray()).toString()
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://tracker')
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: text ? JSON.parse(text) : undefined,
  }
}

async function answer(
  tracker: TrackerServer,
  respond: Respond,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await requestOf(incoming)
  tracker.requests.push(request)
  const failure = tracker.failWith(request)
  if (failure && 'cut' in failure && failure.cut === 'before') return void incoming.socket.destroy()
  if (failure && 'delayMs' in failure) await sleep(failure.delayMs)
  const isRefused = failure && 'status' in failure
  const done = isRefused && !failure.hasDone ? undefined : handle(tracker, respond, request)
  const input = done && !isRefused ? done : refusal(failure as { status: number })
  if (failure && 'isSilent' in failure) return
  if (failure && 'cut' in failure) return void incoming.socket.destroy()
  const { status, body } = input
  const headers = failure && 'headers' in failure ? failure.headers : input.headers
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

export const hasKeys = (value: object, keys: string[]) =>
  assert.deepEqual(Object.keys(value).sort(), keys.sort())
export const isText = (value: unknown) => assert.equal(typeof value, 'string')

export const known = ({ issues, searchDelayMs }: TrackerServer): TrackerIssue[] =>
  issues.filter(({ created_at }) => Date.parse(created_at) + searchDelayMs <= Date.now())

export function addIssue(tracker: TrackerServer, issue: Omit<TrackerIssue, 'created_at'>): TrackerIssue {
  const added = { ...issue, created_at: new Date().toISOString() }
  tracker.issues.push(added)
  return added
}
