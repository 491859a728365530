import { queries } from './queries.ts'
import { queryClient } from './query-client.ts'
import type { CurrentUser } from './service.ts'

/** After this long, a screen without data is better than none. */
const MAX_WAIT_MS = 500

/**
 * Waits a moment for the data of the first screen of a visit, which the page requested while the app was loading. A
 * screen that renders once, with its data, appears sooner than one that first renders without.
 * @param wanted starts the requests
 */
export async function waitForFirstAnswers(wanted: (user: CurrentUser) => Promise<void>[]): Promise<void> {
  const user = await queryClient.ensureQueryData(queries.me()).catch(() => null)
  if (!user) return
  await Promise.race([Promise.all(wanted(user)), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
}
