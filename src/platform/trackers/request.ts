import { firstBytes } from '#src/platform/network/read-limited.ts'
import { retryAfter } from '#src/platform/network/retry-after.ts'
import { version } from '#src/platform/process/version.ts'
import { truncate } from '#src/platform/truncate.ts'
import { TrackerFailure } from './issue.ts'
import { statedReason } from './stated-reason.ts'

/** How to call a tracker's API. */
export interface TrackerApi {
  /** The tracker's name in messages. */
  name: string
  project: string
  headers: Record<string, string>
  /** Values to remove from logged responses. */
  secrets: string[]
  /** Explanations of statuses that are specific to this tracker. */
  refusals?: { [status: number]: string }
}

export interface TrackerRequest {
  method: 'GET' | 'POST'
  url: string
  body?: object
  /** Whether a request without a response may have created an issue. */
  files?: boolean
  /** Whether a response with status 400 explains the error in its body. */
  explains?: boolean
  signal: AbortSignal
}

/** Error codes of requests that never reached the tracker. */
const NOT_REACHED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]
/** A hundred issues of maximum size fit; a truncated response is not valid JSON. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_BACKOFF_MS = 3_600_000

/**
 * Sends a request and returns the JSON body of a successful response.
 * @throws TrackerFailure
 */
export const requestTracker = async (api: TrackerApi, request: TrackerRequest): Promise<unknown> =>
  bodyOf(api, request, await answerTo(api, request))

/**
 * Requests one page of a list.
 * @returns the body, and the URL of the next page (RFC 8288), if any
 * @throws TrackerFailure
 */
export async function requestPage(
  api: TrackerApi,
  request: TrackerRequest,
): Promise<{ body: unknown; next: string | undefined }> {
  const answer = await answerTo(api, request)
  const next = /<([^<>]*)>; *rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  // The next request carries the token, so it must go to the same origin.
  if (next && !isSameOrigin(next, request.url)) throw unreadable(api, request)
  return { body: bodyOf(api, request, answer), next }
}

async function answerTo(api: TrackerApi, request: TrackerRequest): Promise<Exchanged> {
  const answer = await exchange(api, request)
  const { status } = answer
  const isAnswer = (status >= 200 && status <= 299) || (status === 400 && request.explains)
  if (!isAnswer) throw failureOf(api, request, answer)
  return answer
}

function bodyOf(api: TrackerApi, request: TrackerRequest, { text }: Exchanged): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw unreadable(api, request)
  }
}

const isSameOrigin = (address: string, other: string): boolean =>
  URL.canParse(address) && new URL(address).origin === new URL(other).origin

type Exchanged = Awaited<ReturnType<typeof exchange>>

async function exchange(
  { name, headers }: TrackerApi,
  { method, url, body, files = false, signal }: TrackerRequest,
) {
  const all = { accept: 'application/json', 'user-agent': `deal-pipeline/${version}`, ...headers }
  try {
    const response = await fetch(url, {
      method,
      headers: body ? { 'content-type': 'application/json', ...all } : all,
      ...(body && { body: JSON.stringify(body) }),
      // Following a redirect could turn a POST into a GET.
      redirect: 'manual',
      signal,
    })
    const text = (await firstBytes(response, MAX_BYTES)).toString()
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    const { name: kind, cause } = error as Error
    const code = (cause as { code?: string } | undefined)?.code ?? ''
    if (kind === 'TimeoutError' || kind === 'AbortError')
      throw new TrackerFailure(`${name} did not answer in time.`, { mayHaveFiled: files })
    throw new TrackerFailure(
      `${name} cannot be reached${code && ` (${code})`}; check TRACKER_URL if this persists.`,
      {
        mayHaveFiled: files && !NOT_REACHED.includes(code),
      },
    )
  }
}

/** The error for a successful response with an unexpected body. */
export const unreadable = (
  { name }: TrackerApi,
  { files = false }: Pick<TrackerRequest, 'files'>,
): TrackerFailure =>
  new TrackerFailure(`${name} returned an unreadable response; check TRACKER_URL.`, {
    mayHaveFiled: files,
  })

interface Refusal {
  status: number
  headers: Headers
  text: string
}

function failureOf(
  { name, project, secrets, refusals = {} }: TrackerApi,
  { files = false }: TrackerRequest,
  refusal: Refusal,
) {
  const { status, headers } = refusal
  const cause = new Error(excerpt(refusal.text, secrets))
  const retryAfterMs = requestedDelay(headers)
  const known = refusals[status]
  if (known) return new TrackerFailure(known, { isRefusal: true, cause })
  if (status === 429 || (status === 403 && isLimited(headers)))
    return new TrackerFailure(`${name} is rate limited (${status}).`, { retryAfterMs, cause })
  if (status === 401 || status === 403)
    return new TrackerFailure(
      `${name} rejects the token (${status}); check TRACKER_TOKEN and its permissions.`,
      {
        isRefusal: true,
        cause,
      },
    )
  if (status === 404)
    return new TrackerFailure(
      `${name} has no ${project} that the token can access (${status}); check TRACKER_PROJECT and TRACKER_TOKEN.`,
      { isRefusal: true, cause },
    )
  if (status < 400)
    return new TrackerFailure(`${name} has moved (${status}); check TRACKER_URL and TRACKER_PROJECT.`, {
      isRefusal: true,
    })
  if (status >= 500 || status === 408)
    return new TrackerFailure(`${name} failed (${status}).`, { mayHaveFiled: files, retryAfterMs, cause })
  const reason = excerpt(statedReason(refusal.text), secrets)
  return new TrackerFailure(`${name} rejected the request (${status})${reason ? `: ${reason}` : '.'}`, {
    isRejection: true,
    cause,
  })
}

/** GitHub also uses 403 for rate limits (see its "Rate limits for the REST API"). */
const isLimited = (headers: Headers): boolean =>
  headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'

/** `Retry-After`, else GitHub's `X-RateLimit-Reset`, in Unix seconds. */
function requestedDelay(headers: Headers): number | undefined {
  const after = headers.get('retry-after')
  const reset = headers.get('x-ratelimit-remaining') === '0' ? headers.get('x-ratelimit-reset') : null
  const pause = after ? retryAfter(after) : Number(reset) * 1000 - Date.now()
  return pause && pause > 0 ? Math.min(pause, MAX_BACKOFF_MS) : undefined
}

/** The start of a response, without our secrets. */
export const excerpt = (text: string, secrets: string[]): string =>
  truncate(
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text),
    300,
  )
