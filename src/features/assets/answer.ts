import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import fresh from 'fresh'
import parseRange from 'range-parser'
import { type ErrorAnswer, errorAnswer } from '#src/platform/http/error-answer.ts'
import { type CachedObject, MAX_AGE_MS } from '#src/platform/objects/cache.ts'
import type { ByteRange } from '#src/platform/objects/objects.ts'

/** How a request for a file is answered. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416
  headers: OutgoingHttpHeaders
  /** The part of the file that is sent, if any. */
  part?: ByteRange | 'all'
  error?: ErrorAnswer
}

/** How soon a file that another program has replaced is seen: our copy and the browser's share this time. */
const VISIBLE_WITHIN_SECONDS = 30
const CACHE_CONTROL = `private, max-age=${VISIBLE_WITHIN_SECONDS - MAX_AGE_MS / 1000}, must-revalidate`

/**
 * The answer to a request for a file, by RFC 9110: sections 13 (conditions) and 14 (ranges).
 * @param kind the headers that tell what kind of file it is
 */
export function answerTo(
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
  object: CachedObject,
  kind: OutgoingHttpHeaders,
): FileAnswer {
  const { etag, size, lastModified, isStale } = object
  const validators: OutgoingHttpHeaders = { etag, 'last-modified': lastModified }
  if (isStale) validators.warning = '110 - "Response is Stale"'
  // `fetch` adds Cache-Control: no-cache to every conditional request, which must not make it send the file again.
  const { 'cache-control': _control, ...conditions } = headers
  const isConditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined
  if (isConditional && fresh(conditions, validators))
    return { status: 304, headers: { ...validators, 'cache-control': CACHE_CONTROL } }
  const range = method === 'HEAD' ? undefined : askedRange(headers, object)
  if (range === 'unsatisfiable')
    return {
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
      error: errorAnswer(416, `Range must be within the ${size} bytes of the file.`),
    }
  const sent: OutgoingHttpHeaders = {
    ...validators,
    'cache-control': CACHE_CONTROL,
    ...kind,
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start + 1 : size,
  }
  if (range) sent['content-range'] = `bytes ${range.start}-${range.end}/${size}`
  if (method === 'HEAD') return { status: 200, headers: sent }
  return { status: range ? 206 : 200, headers: sent, part: range ?? 'all' }
}

/**
 * The single range that is asked for; one that cannot be read, or several, are passed over (RFC 9110, section 14.2), and
 * so is one on a condition that is not the file's entity tag: a date tells two versions of a second apart no more.
 */
function askedRange(
  headers: IncomingHttpHeaders,
  { size, etag }: CachedObject,
): ByteRange | 'unsatisfiable' | undefined {
  const { range } = headers
  const condition = headers['if-range']
  if (!range || (condition && condition !== etag)) return undefined
  // The package takes the last n of fewer bytes for none of them (RFC 9110, section 14.1.2: for all).
  const last = /^bytes=-(\d+)$/.exec(range)?.[1]
  if (last && size > 0 && Number(last) >= size) return { start: 0, end: size - 1 }
  const ranges = parseRange(size, range)
  if (ranges === -1) return 'unsatisfiable'
  return ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1 ? undefined : ranges[0]
}
