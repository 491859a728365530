import type { Static, TSchema } from 'typebox'
import { retryAfter } from '#src/platform/network/retry-after.ts'
import type { Endpoint, EndpointSchema } from '#src/platform/schema/shapes.ts'
import { errorOf, ServiceUnreachable } from './errors.ts'
import { operations } from './operations.ts'

export type { Usage } from '#src/features/bulk-actions/schema.ts'
export {
  BUILTIN_MODEL,
  type BulkActionJob,
  type CompanyRecord,
  type EnrichmentWork,
  QUEUES,
  type Result,
  type ScoringWork,
  type ThesisText,
  type Work,
} from '#src/features/bulk-actions/work-schema.ts'
export {
  type Profile,
  profileFacts,
  SOURCES,
  type Source,
} from '#src/features/companies/detail/profile-schema.ts'
export type { Criterion, Score } from '#src/features/companies/score-schema.ts'
export type { LoggedEvent } from '#src/features/events/list-schema.ts'
export type { ChangeEvent, EventKind } from '#src/features/events/schema.ts'
export type {
  CustomField,
  CustomFieldEntity,
  CustomFieldType,
} from '#src/features/fields/schema.ts'
export type { ThesisMatch } from '#src/features/matches/schema.ts'
export type { Criterion as ThesisCriterion } from '#src/features/theses/schema.ts'
export { operations }

type Operations = typeof operations
type Part<S, K extends string> =
  S extends Record<K, infer T extends TSchema> ? { [P in K]: Static<T> } : unknown
type OptionalPart<S, K extends string> =
  S extends Record<K, infer T extends TSchema> ? { [P in K]?: Static<T> } : unknown

/** A file to upload, or a form with one. */
export type FileBody = ReadableStream<Uint8Array> | Uint8Array | Blob | string | FormData

/** The input of a call: `params` of the path, `querystring`, `headers` and `body`, which is a file for an import. */
export type Input<S extends EndpointSchema> = Part<S, 'params'> &
  OptionalPart<S, 'headers'> &
  OptionalPart<S, 'querystring'> &
  (S extends { consumes: readonly string[] } ? { body: FileBody } : Part<S, 'body'>)

/** The result of a deletion: the action that `undoAction` takes. */
export interface Deleted {
  action_id: string | null
}

/** The result of a call: the body of the response, or a stream for an export. */
export type Output<S extends EndpointSchema> = S extends { produces: readonly string[] }
  ? ReadableStream<Uint8Array>
  : S['response'] extends { 200: infer T extends TSchema }
    ? Static<T>
    : S['response'] extends { 201: infer T extends TSchema }
      ? Static<T>
      : S['response'] extends { 204: TSchema }
        ? Deleted
        : undefined

type SchemaOf<K extends keyof Operations> = Operations[K] extends Endpoint<infer S> ? S : never
type Arguments<I> = unknown extends I
  ? [input?: Record<string, never>, options?: CallOptions]
  : Partial<I> extends I
    ? [input?: I, options?: CallOptions]
    : [input: I, options?: CallOptions]

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined
  /** Replaces `fetch`, for example to report the progress of an upload. */
  fetch?: typeof fetch
}

/** A method for each operation. */
export type Client = {
  [K in keyof Operations]: (...call: Arguments<Input<SchemaOf<K>>>) => Promise<Output<SchemaOf<K>>>
}

/** Options of all calls. The options of a call take precedence. */
export interface ClientOptions extends CallOptions {
  /** The address of the service, such as `http://localhost:3000`. */
  baseUrl: string
  /** Sent with every request, such as `{'x-user-email': 'ada@example.com'}`. */
  headers?: Record<string, string>
  /**
   * Called before a rate-limited request is retried, with the delay in seconds. Without it, such a request fails. A
   * request whose body is a stream is never retried.
   */
  onRetry?: (seconds: number) => void
  /**
   * Whether a request that writes carries an `Idempotency-Key`, so that it is repeated after a dropped connection without
   * a second effect. The default is true.
   */
  idempotent?: boolean
  /** Called after each request that has changed records, before its promise resolves. */
  onAction?: (done: CompletedAction) => void
}

/** A request that has changed records. */
export interface CompletedAction<K extends keyof Operations = keyof Operations> {
  /** What `undoAction` takes: ax_…. */
  id: string
  operation: K
  input: AnyInput
  output: Output<SchemaOf<K>>
}

/** The parts of a request. */
export interface AnyInput {
  params?: Record<string, string>
  querystring?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
}

/**
 * Creates a client of the HTTP API. Its methods throw a subclass of `ApiError` when the service responds with an error, and
 * `ServiceUnreachable` when it does not respond.
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    async (input: AnyInput = {}, callOptions: CallOptions = {}) => {
      const { output, actionId } = await call({ ...options, ...callOptions }, operation, input)
      if (actionId !== null)
        options.onAction?.({ id: actionId, operation: name, input, output } as CompletedAction)
      return output
    },
  ])
  return Object.fromEntries(methods) as Client
}

async function call(
  options: ClientOptions,
  { method, url, schema }: Endpoint,
  input: AnyInput,
): Promise<{ output: unknown; actionId: string | null }> {
  const body = bodyOf(schema, input.body)
  const key: Record<string, string> =
    method === 'GET' || options.idempotent === false || schema['x-idempotency'] === 'none'
      ? {}
      : { 'idempotency-key': newIdempotencyKey() }
  const request = {
    ...body,
    method,
    headers: { ...key, ...(body.headers as Record<string, string>), ...input.headers },
  }
  let response = await sendAgain(options, pathOf(url, input), request)
  for (let retries = 0; retries < MAX_RETRIES && canRetry(options, request, response); retries++) {
    await response.body?.cancel()
    const seconds = retryAfterSeconds(response)
    options.onRetry?.(seconds)
    await sleep(seconds * 1000, options.signal)
    response = await send(options, pathOf(url, input), request)
  }
  if (!response.ok) throw await errorOf(response)
  const actionId = response.headers.get('x-action-id')
  if (response.status === 204) return { output: { action_id: actionId } satisfies Deleted, actionId }
  return { output: schema.produces ? response.body : await response.json(), actionId }
}

/** A key for a request that may be sent again. `crypto.randomUUID` is missing on pages without https. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

const MAX_RECONNECTIONS = 2
const RECONNECTION_DELAY_MS = 250
/** How often a repeated request waits for the first attempt to end. */
const MAX_WAITS = 30

/** Sends a request again after a dropped connection, if that has no second effect. */
async function sendAgain(options: ClientOptions, path: string, request: RequestInit): Promise<Response> {
  const hasKey = 'idempotency-key' in (request.headers as Record<string, string>)
  const isRepeatable = hasKey && !(request.body instanceof ReadableStream)
  for (let attempt = 0; ; attempt++)
    try {
      const response = await send(options, path, request)
      // The first attempt may still be running.
      const isInFlight = attempt > 0 && response.status === 409 && response.headers.has('retry-after')
      if (!isInFlight || attempt >= MAX_WAITS) return response
      await response.body?.cancel()
      await sleep(retryAfterSeconds(response) * 1000, options.signal)
    } catch (error) {
      if (!isRepeatable || attempt >= MAX_RECONNECTIONS || options.signal?.aborted) throw error
      await sleep(RECONNECTION_DELAY_MS * 2 ** attempt, options.signal)
    }
}

const MAX_RETRIES = 5
const MAX_RETRY_AFTER_SECONDS = 60

const canRetry = ({ onRetry }: ClientOptions, { body }: RequestInit, { status }: Response): boolean =>
  status === 429 && onRetry !== undefined && !(body instanceof ReadableStream)

function retryAfterSeconds({ headers }: Response): number {
  const seconds = Math.ceil((retryAfter(headers.get('retry-after')) ?? 0) / 1000)
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, seconds))
}

const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

async function send(
  { baseUrl, headers, signal, ...options }: ClientOptions,
  path: string,
  request: RequestInit,
) {
  const fetchOrReplacement = options.fetch ?? fetch
  const address = baseUrl.replace(/\/+$/, '') + path
  const allHeaders = { ...headers, ...(request.headers as Record<string, string>) }
  try {
    return await fetchOrReplacement(address, { ...request, headers: allHeaders, signal: signal ?? null })
  } catch (error) {
    throw new ServiceUnreachable(address, error)
  }
}

function pathOf(url: string, { params = {}, querystring = {} }: AnyInput): string {
  const path = url.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(querystring))
    for (const item of [value].flat()) if (item !== undefined) query.append(name, String(item))
  return query.size > 0 ? `${path}?${query}` : path
}

function bodyOf(schema: EndpointSchema, body: unknown): RequestInit {
  // fetch writes the content type of a form, with its boundary.
  if (schema.consumes && body instanceof FormData) return { body }
  if (schema.consumes)
    // fetch requires `duplex` if the body is a stream (WHATWG Fetch, RequestDuplex).
    return { body: body as FileBody, headers: { 'content-type': 'text/csv' }, duplex: 'half' } as RequestInit
  if (body === undefined) return {}
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}
