declare global {
  /** The answers to what the page has requested before the app ran (`early-requests.ts`), by path and query. */
  var earlyAnswers: Map<string, Promise<Response>> | undefined
}

/** Older answers are not used: the stream of changes covers only the time shortly before it opens (`live-updates.ts`). */
const MAX_AGE_MS = 4000

/**
 * The answer to a request that the page has sent already. `undefined`: it has not, the answer was taken or is too old, or
 * the service could not be reached.
 */
export async function takeEarlyAnswer(
  address: string,
  { method = 'GET' }: RequestInit = {},
): Promise<Response | undefined> {
  const { earlyAnswers } = globalThis
  const { pathname, search } = new URL(address)
  if (method !== 'GET' || performance.now() > MAX_AGE_MS) earlyAnswers?.clear()
  const answer = earlyAnswers?.get(pathname + search)
  earlyAnswers?.delete(pathname + search)
  const response = await answer?.catch(() => undefined)
  // After a failure, someone may sign in as another user.
  if (response && !response.ok) earlyAnswers?.clear()
  return response
}
