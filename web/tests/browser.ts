/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { ada } from '#src/testing.ts'

const executablePath = '/usr/bin/chromium'

/** Why tests with a browser do not run here; false: they do. */
export const skip = !existsSync(executablePath) && 'needs /usr/bin/chromium'

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] })

interface Visitor extends BrowserContextOptions {
  /** Who was chosen in development; null: nobody yet. */
  user?: string | null
}

export interface OpenPage {
  page: Page
  /** Fails when the page has complained in its console, or thrown. */
  check(): void
  close(): Promise<void>
}

/** A new browser window of somebody. */
export async function openPage(
  browser: Browser,
  { user = ada, ...options }: Visitor = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  if (user)
    await context.addInitScript((email) => localStorage.setItem('service_dev_user_email', email), user)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    // What the service refuses, or does not answer, is part of many tests.
    const isAnswer = /Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return {
    page,
    check: () => assert.deepEqual(complaints, []),
    close: () => context.close(),
  }
}
