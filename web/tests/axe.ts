/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { requestsEnded, transitionsEnded } from './browser.ts'

const axe = readFileSync(
  path.join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'),
  'utf8',
)

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

/** Waits until a screen has loaded and its transitions, during which contrast cannot be measured, have ended. */
export async function screenLoaded(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await layoutEnded(page)
}

/** Waits until a screen shows what it has loaded, for example because its window has become wider. */
export async function layoutEnded(page: Page): Promise<void> {
  await requestsEnded(page)
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
  await transitionsEnded(page)
}

interface Window {
  width: number
  height: number
}

/**
 * Asserts that axe finds nothing serious on a page, in both color schemes, and that the page is not wider than its window.
 * @param windows further windows in which to look at the page; then it returns to its own
 * @param isStrict whether to accept no finding of any impact, and no target below 24 pixels without space around it
 */
export async function assertAccessible(
  page: Page,
  name: string,
  windows: Window[] = [],
  isStrict = false,
): Promise<void> {
  // Menus and lists are rendered outside of the landmarks, which no criterion of WCAG forbids.
  const isMenuOpen = (await page.locator('[role=menu], [role=listbox]').count()) > 0
  const strict = {
    isStrict,
    rules: { 'target-size': { enabled: true }, region: { enabled: !isMenuOpen } },
  }
  const all = isStrict ? strict : {}
  const own = page.viewportSize()
  await page.evaluate(axe)
  await assertFits(page, name)
  await assertNoViolations(page, name, all)
  const other = await toggleColors(page)
  await assertNoViolations(page, `${name}, ${other}`, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await toggleColors(page)
  for (const window of windows) {
    await page.setViewportSize(window)
    await layoutEnded(page)
    await assertFits(page, `${name}, ${window.width} pixels`)
    await assertNoViolations(page, `${name}, ${window.width} pixels`, all)
  }
  if (own && windows.length > 0) await page.setViewportSize(own)
}

/** @returns the color scheme that the page has now, after its transitions */
async function toggleColors(page: Page): Promise<string> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const colorScheme = isDark ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await transitionsEnded(page)
  return colorScheme
}

async function assertNoViolations(
  page: Page,
  name: string,
  { isStrict = false, ...options }: { isStrict?: boolean; [option: string]: unknown },
): Promise<void> {
  const violations = (await page.evaluate(
    `axe.run({ resultTypes: ["violations"], ...${JSON.stringify(options)} }).then(({ violations }) => violations)`,
  )) as Violation[]
  const counted = violations.filter(({ impact }) => isStrict || impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    counted.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`),
    [],
    name,
  )
}

/** Asserts that a page is not wider than its window. */
export async function assertFits(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`)
}
