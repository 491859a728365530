import type { Page } from 'playwright-core'

/** Holds all requests to an address back until they are released. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await isReleased
    await route.continue()
  })
  return release
}
