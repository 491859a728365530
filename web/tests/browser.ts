/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { ada } from '#src/testing/settings.ts'

const executablePath = '/usr/bin/chromium'

/** The reason to skip browser tests, or false. */
export const skip = !existsSync(executablePath) && 'needs /usr/bin/chromium'

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] })

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

/** Opens a page in a browser context of its own. */
export async function openPage(
  browser: Browser,
  { user = ada, ...options }: Visitor = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  if (user)
    await context.addInitScript((email) => localStorage.setItem('service_dev_user_email', email), user)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
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
