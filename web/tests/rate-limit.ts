import type { Page } from 'playwright-core'

/**
 * Rejects each request of a page once, as if it were rate-limited, and holds the repeated requests.
 * @returns a function that lets these and all further requests through
 */
export async function limitOnce(page: Page): Promise<() => void> {
  const { promise: isReleased, resolve } = Promise.withResolvers<void>()
  let refused: Set<string> | undefined = new Set()
  await page.route('**/api/**', async (route) => {
    const request = `${route.request().method()} ${route.request().url()}`
    if (!refused || refused.has(request)) {
      await isReleased
      return route.continue()
    }
    refused.add(request)
    return route.fulfill({
      status: 429,
      headers: { 'retry-after': '2' },
      json: { error: 'Too Many Requests', details: 'The limit is 100.' },
    })
  })
  return () => {
    refused = undefined
    resolve()
  }
}
