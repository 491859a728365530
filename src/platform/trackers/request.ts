import { firstBytes } from '#src/platform/network/read-limited.ts'
import { retryAfter } from '#src/platform/network/retry-after.ts'
import { version } from '#src/platform/process/version.ts'
import { TrackerFailure } from './issue.ts'

/** A tracker's API, and how it is asked. */
export interface TrackerApi {
  /** As people call it. */
  name: string
  project: string
  headers: Record<string, string>
  /** What must not get into a log, whatever the tracker answers. */
  secrets: string[]
  /** What a status means that this tracker alone gives, and what to do about it. */
  refusals?: { [status: number]: string }
}

export interface TrackerRequest {
  method: 'GET' | 'POST'
  url: string
  body?: object
  /** Whether an issue may have come of it when there is no answer. */
  files?: boolean
  /** Whether the answer says in its body what is wrong, under 400 too. */
  explains?: boolean
  signal: AbortSignal
}

/** With these the request has not reached the tracker. */
const NOT_REACHED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]
/** A hundred issues of the greatest length take less; what is cut off is not JSON. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_BACKOFF_MS = 3_600_000

/**
 * Sends a request and gives the body of the answer, when it is a success.
 * @throws TrackerFailure
 */
export const requestTracker = async (api: TrackerApi, request: TrackerRequest): Promise<unknown> =>
  bodyOf(api, request, await answerTo(api, request))

/**
 * The same, for one page of a list.
 * @returns the body, and where the next page is (RFC 8288), when there is one
 * @throws TrackerFailure
 */
export async function askForPage(
  api: TrackerApi,
  request: TrackerRequest,
): Promise<{ body: unknown; next: string | undefined }> {
  const answer = await answerTo(api, request)
  const next = /<([^<>]*)>; *rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  // Whoever is asked next is given the token.
  if (next && !isOfOrigin(next, request.url)) throw unreadable(api, request)
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

const isOfOrigin = (address: string, other: string): boolean =>
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
      // Followed, a POST could become a GET.
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
      `${name} cannot be reached${code && ` (${code})`}; see to TRACKER_URL if it stays so.`,
      {
        mayHaveFiled: files && !NOT_REACHED.includes(code),
      },
    )
  }
}

/** An answer that is a success and not what it should be. */
export const unreadable = (
  { name }: TrackerApi,
  { files = false }: Pick<TrackerRequest, 'files'>,
): TrackerFailure =>
  new TrackerFailure(`${name} gave an answer that cannot be read; see to TRACKER_URL.`, {
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
  const pauseMs = askedPause(headers)
  const known = refusals[status]
  if (known) return new TrackerFailure(known, { isRefusal: true, cause })
  if (status === 429 || (status === 403 && isLimited(headers)))
    return new TrackerFailure(`${name} is asked too often (${status}).`, { pauseMs, cause })
  if (status === 401 || status === 403)
    return new TrackerFailure(
      `${name} refuses the token (${status}); see to TRACKER_TOKEN and what it may do.`,
      {
        isRefusal: true,
        cause,
      },
    )
  if (status === 404)
    return new TrackerFailure(
      `${name} has no ${project} that the token may use (${status}); see to TRACKER_PROJECT and TRACKER_TOKEN.`,
      { isRefusal: true, cause },
    )
  if (status < 400)
    return new TrackerFailure(`${name} has moved (${status}); see to TRACKER_URL and TRACKER_PROJECT.`, {
      isRefusal: true,
    })
  if (status >= 500 || status === 408)
    return new TrackerFailure(`${name} failed (${status}).`, { mayHaveFiled: files, pauseMs, cause })
  return new TrackerFailure(`${name} does not take the request (${status}).`, { cause })
}

/** GitHub says 403 for its limits too (its "Rate limits for the REST API"). */
const isLimited = (headers: Headers): boolean =>
  headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'

/** `Retry-After`, else GitHub's `X-RateLimit-Reset`, in Unix seconds. */
function askedPause(headers: Headers): number | undefined {
  const after = headers.get('retry-after')
  const reset = headers.get('x-ratelimit-remaining') === '0' ? headers.get('x-ratelimit-reset') : null
  const pause = after ? retryAfter(after) : Number(reset) * 1000 - Date.now()
  return pause && pause > 0 ? Math.min(pause, MAX_BACKOFF_MS) : undefined
}

/** The beginning of what a tracker says, without our secrets. */
export const excerpt = (text: string, secrets: string[]): string =>
  secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text).slice(0, 300)
