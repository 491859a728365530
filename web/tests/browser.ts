/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { ada } from '#src/testing/settings.ts'
import { closeAfterFiles, fileEnded } from '#src/testing/shared.ts'

/** The build without windows comes first, because it takes half as long. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) =>
  existsSync(file),
)

/** The reason to skip browser tests, or false. */
export const skip = !executablePath && 'needs /usr/bin/chromium-headless-shell or /usr/bin/chromium'

let launched: Promise<Browser> | undefined

async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  browser.on('disconnected', () => {
    launched = undefined
  })
  closeAfterFiles(() => browser.close())
  return browser
}

/**
 * Closes the pages that a file leaves open. Runs before other hooks, because a service does not stop while pages are
 * connected.
 */
export function withBrowser(): void {
  if (skip) return
  after(async () => {
    const browser = await launched?.catch(() => undefined)
    await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
    await fileEnded()
  })
}

interface Visitor extends BrowserContextOptions {
  /** The development user; null: not signed in. */
  user?: string | null
}

export interface OpenPage {
  page: Page
  /** Fails if the page has logged an error or thrown an exception. */
  check(): void
  close(): Promise<void>
}

/** Longer than pages wait after a key press before they send a request. */
const QUIET_MS = 500
/** Longer than an idle page takes to send a follow-up request. */
export const SETTLED_MS = 150
const CHECK_INTERVAL_MS = 50
/** The timeout of each wait of a test, on a machine that is several times slower than usual. */
const TIMEOUT_MS = 60_000
/** A transition of the library starts two frames after its element has appeared. */
const STILL_FRAMES = 5

interface Traffic {
  pending: Set<Request>
  /** When the latest request started or ended. */
  changedAt: number
}
const trafficOf = new WeakMap<Page, Traffic>()

/** The stream of changes stays open, so the network is never idle as Playwright understands it. */
function watchRequests(page: Page): void {
  const traffic: Traffic = { pending: new Set(), changedAt: performance.now() }
  trafficOf.set(page, traffic)
  const record = (change: 'add' | 'delete') => (request: Request) => {
    if (/\/events$/.test(request.url())) return
    traffic.pending[change](request)
    traffic.changedAt = performance.now()
  }
  page.on('request', record('add'))
  page.on('requestfinished', record('delete'))
  page.on('requestfailed', record('delete'))
}

/**
 * Waits until a page that was opened with `openPage` has received all responses, and has nothing to do.
 * @param forMs how long there must be no request; pass `SETTLED_MS` where nothing was typed
 */
export async function requestsEnded(page: Page, forMs = QUIET_MS): Promise<void> {
  const start = performance.now()
  const traffic = trafficOf.get(page) ?? { pending: new Set<Request>(), changedAt: start }
  for (;;) {
    // A page that is still rendering has requests to send. A page that is no longer drawn may never become idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })))
    const quietMs = performance.now() - Math.max(start, traffic.changedAt)
    if (traffic.pending.size === 0 && quietMs >= forMs) return
    if (performance.now() - start > TIMEOUT_MS)
      throw new Error(`Requests do not end: ${[...traffic.pending].map((request) => request.url())}`)
    await page.waitForTimeout(traffic.pending.size > 0 ? CHECK_INTERVAL_MS : forMs - quietMs)
  }
}

/** Waits until nothing on the page moves or changes its color. */
export async function transitionsEnded(page: Page): Promise<void> {
  await page.evaluate(
    ({ frames, timeout }) =>
      new Promise<void>((resolve, reject) => {
        setTimeout(() => reject(new Error('Transitions do not end')), timeout)
        let still = 0
        const look = () => {
          const isMoving = document
            .getAnimations()
            .some(
              ({ playState, effect }) =>
                playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
            )
          still = isMoving ? 0 : still + 1
          if (still === frames) resolve()
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { frames: STILL_FRAMES, timeout: TIMEOUT_MS },
  )
}

/** Presses keys that only work in quick succession, such as `g h`. The next key does not wait for the page. */
export const pressQuickly = (page: Page, ...keys: string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => page.keyboard.press(key)))

/** Waits until an element has the focus. Keys pressed before that are lost, or do something else. */
export const hasFocus = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor()

/** Records how many elements match whenever that changes, from the next visit of the page on. */
export async function countsOf(page: Page, selector: string): Promise<() => Promise<number[]>> {
  await page.addInitScript((selector) => {
    const counts = new Set<number>()
    Object.assign(window, { counts })
    const count = () => counts.add(document.querySelectorAll(selector).length)
    new MutationObserver(count).observe(document, { childList: true, subtree: true })
  }, selector)
  return () => page.evaluate(() => [...(window as unknown as { counts: Set<number> }).counts])
}

/** Opens a page in a browser context of its own. The file calls `withBrowser` or `withDemo`. */
export async function openPage({ user = ada, ...options }: Visitor = {}): Promise<OpenPage> {
  // Other files of this process use the same one.
  launched ??= launchChromium().catch((error) => {
    launched = undefined
    throw error
  })
  const browser = await launched
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  if (user)
    await context.addInitScript((email) => localStorage.setItem('service_dev_user_email', email), user)
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  watchRequests(page)
  const errors: string[] = []
  page.on('console', (message) => {
    // Many tests cause failed requests on purpose.
    const isFailedRequest = /Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isFailedRequest) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return {
    page,
    check: () => assert.deepEqual(errors, []),
    close: () => context.close(),
  }
}
