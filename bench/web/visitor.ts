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
 * Makes each page of this context record when its screen is usable. Playwright polls only twice a second, which is too
 * coarse to time a visit.
 * @param selector plain CSS of an element that appears then
 */
export const recordUsable = (context: BrowserContext, selector: string): Promise<unknown> =>
  context.addInitScript(recordPaintOf, selector)

/** Runs in the page. */
function recordPaintOf(selector: string): void {
  const usable = new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(selector)) return
      observer.disconnect()
      // The frame has been painted when the next task runs.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  Object.assign(globalThis, { usable })
}

/** When the page was usable, in milliseconds since the visit began. */
export const usableAfter = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { usable: Promise<number> }).usable)

export const median = (numbers: number[]): number => quantile(numbers, 0.5)
