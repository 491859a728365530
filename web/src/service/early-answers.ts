declare global {
  interface Window {
    /** The answers to what the page has requested before the app ran (`early-requests.ts`), by path and query. */
    earlyAnswers?: Map<string, Promise<Response>>
  }
}

/** What a screen asks for later must not be as old as the page. */
const MAX_AGE_MS = 10_000

/** The answer to a request that the page has sent already; `undefined`: it has not, or the answer was taken. */
export async function takeEarlyAnswer(
  address: string,
  { method = 'GET' }: RequestInit = {},
): Promise<Response | undefined> {
  const { pathname, search } = new URL(address)
  const answer = method === 'GET' ? window.earlyAnswers?.get(pathname + search) : undefined
  window.earlyAnswers?.delete(pathname + search)
  if (!answer || performance.now() > MAX_AGE_MS) return undefined
  const response = await answer
  // Someone who signs in now is asked for under another name.
  if (!response.ok) window.earlyAnswers?.clear()
  return response
}
