/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { isQuick } from '#src/testing/slow.ts'
import { requestsEnded, SETTLED_MS, transitionsEnded } from './browser.ts'

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

/**
 * Waits until a screen shows loaded data, for example because its window has become wider. Nothing was typed just
 * before.
 */
export async function layoutEnded(page: Page): Promise<void> {
  await requestsEnded(page, SETTLED_MS)
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
  await transitionsEnded(page)
}

/** Goes to another screen as a link does. The page keeps what it has loaded, including axe. */
export async function goToScreen(page: Page, address: string): Promise<void> {
  await openScreen(page, address)
  await screenLoaded(page)
}

/** Goes to another screen, without waiting for what it loads. */
export async function openScreen(page: Page, address: string): Promise<void> {
  const isOther = await page.evaluate((to) => {
    const isOther = new URL(to, location.href).pathname !== location.pathname
    if (isOther) document.querySelector('main h1')?.setAttribute('data-previous', '')
    history.pushState({}, '', to)
    return isOther
  }, address)
  if (isOther) await page.locator('main h1:not([data-previous])').waitFor()
}

interface Window {
  width: number
  height: number
}

/**
 * Asserts that axe finds nothing serious on a page, in both color schemes, and that the page is not wider than its window.
 * `npm test` looks at one color scheme and the page's own window only.
 * @param windows further windows in which to look at the page; then it returns to its own
 * @param isStrict whether to accept no finding of any impact, and no target below 24 pixels without space around it
 */
export async function assertAccessible(
  page: Page,
  name: string,
  windows: Window[] = [],
  isStrict = false,
): Promise<void> {
  const run: Run = isStrict ? { isStrict, ...(await strictRules(page)) } : {}
  const own = page.viewportSize()
  await loadAxe(page)
  await assertFits(page, name)
  await assertNoViolations(page, name, run)
  if (isQuick) return
  const other = await toggleColors(page)
  await assertNoViolations(page, `${name}, ${other}`, { ...run, ...COLORS })
  await toggleColors(page)
  for (const window of windows) {
    await page.setViewportSize(window)
    await layoutEnded(page)
    await assertFits(page, `${name}, ${window.width} pixels`)
    await assertNoViolations(page, `${name}, ${window.width} pixels`, run)
  }
  if (own && windows.length > 0) await page.setViewportSize(own)
}

/**
 * Asserts that axe finds nothing of any impact in a dialog, a menu, or a panel, or in the button that has opened it, in
 * both color schemes. The page keeps the other scheme.
 */
export async function assertLayerAccessible(page: Page, layer: Locator, name: string): Promise<void> {
  const run = { isStrict: true, layer, ...(await strictRules(page)) }
  await loadAxe(page)
  await assertFits(page, name)
  await assertNoViolations(page, name, run)
  const other = await toggleColors(page)
  await assertNoViolations(page, `${name}, ${other}`, { ...run, ...COLORS })
}

const COLORS = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** Menus and lists are rendered outside of the landmarks, which no criterion of WCAG forbids. */
async function strictRules(page: Page) {
  const isMenuOpen = (await page.locator('[role=menu], [role=listbox]').count()) > 0
  return { rules: { 'target-size': { enabled: true }, region: { enabled: !isMenuOpen } } }
}

const loadAxe = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
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

interface Run {
  isStrict?: boolean
  /** Checks this element instead of the whole page. */
  layer?: Locator
  /** An option of axe. */
  [option: string]: unknown
}

async function assertNoViolations(
  page: Page,
  name: string,
  { isStrict = false, layer, ...options }: Run,
): Promise<void> {
  const all = { resultTypes: ['violations'], ...options }
  const found = await (layer ?? page.locator('html')).evaluate(violations, { options: all, isPage: !layer })
  const counted = found.filter(({ impact }) => isStrict || impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    counted.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`),
    [],
    name,
  )
}

/** Runs in the page. */
async function violations(
  element: Element,
  { options, isPage }: { options: object; isPage: boolean },
): Promise<Violation[]> {
  const { axe } = window as unknown as {
    axe: { run(...of: unknown[]): Promise<{ violations: Violation[] }> }
  }
  const others = document.querySelectorAll('[aria-expanded=true], [role=listbox]')
  const shown = [...others].filter((other) => other.checkVisibility())
  return (await axe.run(isPage ? document : { include: [element, ...shown] }, options)).violations
}

/** Asserts that a page is not wider than its window. */
export async function assertFits(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`)
}
