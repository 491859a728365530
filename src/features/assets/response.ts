import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import fresh from 'fresh'
import parseRange from 'range-parser'
import { type ErrorAnswer, errorBody } from '#src/platform/http/error-body.ts'
import { type CachedObject, MAX_AGE_MS } from '#src/platform/objects/cache.ts'
import type { ByteRange } from '#src/platform/objects/objects.ts'

/** The response to a request for a file. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416
  headers: OutgoingHttpHeaders
  /** The part of the file to send, if any. */
  part?: ByteRange | 'all'
  error?: ErrorAnswer
}

/** What an answer depends on. */
type DescribedFile = Pick<CachedObject, 'etag' | 'size' | 'lastModified' | 'isStale'>

/** Time until a file that another program has replaced is visible, shared between our cache and the browser's. */
const VISIBLE_WITHIN_SECONDS = 30
const CACHE_CONTROL = `private, max-age=${VISIBLE_WITHIN_SECONDS - MAX_AGE_MS / 1000}, must-revalidate`

/**
 * Answers a request for a file according to RFC 9110, sections 13 (conditions) and 14 (ranges).
 * @param contentHeaders the headers for this type of file
 */
export function fileResponse(
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
  object: DescribedFile,
  contentHeaders: OutgoingHttpHeaders,
): FileAnswer {
  const { etag, size, lastModified, isStale } = object
  const validators: OutgoingHttpHeaders = { etag, 'last-modified': lastModified }
  if (isStale) validators.warning = '110 - "Response is Stale"'
  // `fetch` adds Cache-Control: no-cache to conditional requests. It must not cause a full response.
  const { 'cache-control': _control, ...conditions } = headers
  const isConditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined
  if (isConditional && fresh(conditions, validators))
    return { status: 304, headers: { ...validators, 'cache-control': CACHE_CONTROL } }
  const range = method === 'HEAD' ? undefined : requestedRange(headers, object)
  if (range === 'unsatisfiable')
    return {
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
      error: errorBody(416, `Range must be within the ${size} bytes of the file.`),
    }
  const sent: OutgoingHttpHeaders = {
    ...validators,
    'cache-control': CACHE_CONTROL,
    ...contentHeaders,
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start + 1 : size,
  }
  if (range) sent['content-range'] = `bytes ${range.start}-${range.end}/${size}`
  if (method === 'HEAD') return { status: 200, headers: sent }
  return { status: range ? 206 : 200, headers: sent, part: range ?? 'all' }
}

/**
 * Returns the requested range. Ignores invalid ranges, such as 5-2, and multiple ones (RFC 9110, section 14.2), and an
 * If-Range that is not the file's ETag: a date cannot tell apart two versions from the same second.
 */
function requestedRange(
  headers: IncomingHttpHeaders,
  { size, etag }: DescribedFile,
): ByteRange | 'unsatisfiable' | undefined {
  const range = headers.range?.toLowerCase()
  const condition = headers['if-range']
  if (!range || (condition && condition !== etag)) return undefined
  // If the file is shorter than the suffix, the whole file is meant (RFC 9110, section 14.1.2). The package disagrees.
  const last = /^bytes=-(\d+)$/.exec(range)?.[1]
  if (last && size > 0 && Number(last) >= size) return { start: 0, end: size - 1 }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  if (from && Number(from) > Number(to)) return undefined
  const ranges = parseRange(size, range)
  if (ranges === -1) return 'unsatisfiable'
  return ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1 ? undefined : ranges[0]
}
