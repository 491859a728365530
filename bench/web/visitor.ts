/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { quantile } from '../quantile.ts'

/** A browser without cache, with a development user. */
export async function newVisitor(browser: Browser, isSignedIn = true): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  if (isSignedIn)
    await context.addInitScript(() => localStorage.setItem('service_dev_user_email', 'bench@example.com'))
  await context.addInitScript(watchPaintsAndTasks)
  return context
}

interface Observed {
  largestPaint: number
  /** Durations of tasks over 50 ms, in milliseconds. */
  longTasks: number[]
}

/** Runs in the page. */
function watchPaintsAndTasks(): void {
  const observed: Observed = { largestPaint: 0, longTasks: [] }
  Object.assign(globalThis, { observed })
  new PerformanceObserver((list) => {
    observed.largestPaint = list.getEntries().at(-1)?.startTime ?? 0
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    observed.longTasks.push(...list.getEntries().map(({ duration }) => duration))
  }).observe({ type: 'longtask', buffered: true })
}

export const observedIn = (page: Page): Promise<Observed> =>
  page.evaluate(() => (globalThis as unknown as { observed: Observed }).observed)

/**
 * Has the pages of this browser note when an element appears. Playwright looks for it twice a second, too seldom to time
 * a visit.
 */
export const watchFor = (context: BrowserContext, selector: string): Promise<unknown> =>
  context.addInitScript(noteAppearance, selector)

/** Runs in the page. */
function noteAppearance(selector: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    Object.assign(globalThis, { usable: performance.now() })
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** When the element that `watchFor` was called with appeared, in milliseconds since the visit began. */
export const usableIn = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { usable: number }).usable)

export const median = (numbers: number[]): number => quantile(numbers, 0.5)
