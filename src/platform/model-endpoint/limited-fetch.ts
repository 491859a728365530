import { firstBytes } from '#src/platform/network/read-limited.ts'

/** The endpoint's answer was larger than the limit, and the rest was not read. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer is larger than ${Math.round(maxBytes / 1024 ** 2)} MB.`)
  }
}

/** An explanation of an error is short. The rest of a longer one is not read. */
const MAX_ERROR_BYTES = 64 * 1024

/**
 * Fetches like `fetch`, but reads at most `maxBytes` of a body and closes the connection then.
 * @param convert replaces a response that has been read
 * @throws AnswerTooLarge for a longer body of a response with status 200
 */
export function limitedFetch(
  maxBytes: number,
  convert: (response: Response, body: string) => Response = (response) => response,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const limit = response.ok ? maxBytes : MAX_ERROR_BYTES
    const bytes = await firstBytes(response, limit + 1)
    if (bytes.length > limit && response.ok) throw new AnswerTooLarge(limit)
    const body = bytes.toString('utf8')
    return convert(responseWith(response, body), body)
  }
}

/** A response with this body instead of its own, and optionally another status. */
export function responseWith(
  { status, statusText, headers }: Response,
  body: string,
  other?: number,
): Response {
  const kept = new Headers(headers)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name)
  const init = { status: other ?? status, statusText: other ? '' : statusText, headers: kept }
  return new Response([204, 205, 304].includes(init.status) ? null : body, init)
}
