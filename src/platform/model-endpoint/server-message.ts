import { parseJson } from './json-in-answer.ts'

/** What servers that claim to be compatible say in the bodies of errors: each has a shape of its own. */
interface ErrorBody {
  error?: unknown
  message?: unknown
  detail?: unknown
  code?: unknown
  type?: unknown
  status?: unknown
  metadata?: unknown
}

const isRecord = (value: unknown): value is ErrorBody => typeof value === 'object' && value !== null

/** The error message in the body of a response; undefined if there is none. */
export function messageIn(body: string | undefined): string | undefined {
  const parsed = parseJson(body ?? '')
  if (parsed === undefined) return body && !body.trim().startsWith('<') ? body.trim() || undefined : undefined
  return messageOf(parsed)
}

/** Finds the text of an error: `{error: {message}}`, `{error: "…"}`, `{message}`, `{detail: [{loc, msg}]}`, `[{error}]`. */
function messageOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined
  if (Array.isArray(value)) return value.map(messageOf).find(Boolean)
  if (!isRecord(value)) return undefined
  const { msg, loc } = value as { msg?: unknown; loc?: unknown }
  if (typeof msg === 'string') return Array.isArray(loc) ? `${loc.join('.')}: ${msg}` : msg
  const found = messageOf(value.error) ?? messageOf(value.message) ?? messageOf(value.detail)
  const { raw } = isRecord(value.metadata) ? (value.metadata as { raw?: unknown }) : {}
  return typeof raw === 'string' && found ? `${found}: ${raw}` : found
}

/** The codes and types of the error in a body, such as `insufficient_quota`. */
export function codesIn(body: string | undefined): string[] {
  const parsed = parseJson(body ?? '')
  const record = Array.isArray(parsed) ? parsed[0] : parsed
  if (!isRecord(record)) return []
  const errors = [record, record.error].filter(isRecord)
  return errors.flatMap(({ code, type, status }) =>
    [code, type, status].filter((word): word is string => typeof word === 'string'),
  )
}

/** The status for words that servers use instead of one, in an error that came with a 200. */
const STATUSES: [RegExp, number][] = [
  [/insufficient_quota|credit|billing|payment/i, 402],
  [/rate.?limit|too.?many|resource_exhausted/i, 429],
  [/overloaded/i, 529],
  [/unavailable/i, 503],
  [/time.?out|deadline/i, 504],
  [/authentication|unauthenticated|invalid_api_key/i, 401],
  [/permission/i, 403],
  [/not_found/i, 404],
  [/invalid|context_length|content_filter|bad_request/i, 400],
]

/** The status that an error stands for which came with a 200. Without a code it is 500. */
export function statusOfError(error: unknown): number {
  const { code, status, type } = isRecord(error) ? error : {}
  for (const value of [code, status]) {
    const number = Number(value)
    if (Number.isInteger(number) && number >= 400 && number <= 599) return number
  }
  const words = [code, type, status].filter((word) => typeof word === 'string').join(' ')
  return STATUSES.find(([pattern]) => pattern.test(words))?.[1] ?? 500
}
