/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { assertLayerAccessible, goToScreen, layoutEnded, screenLoaded } from './axe.ts'
import { type OpenPage, openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { layers } from './layers.ts'
import { assertReflows } from './reachable.ts'
import { addressOf, type Shown, shownRecords } from './shown.ts'

const WIDE = { width: 1280, height: 900 }
const CLOSING = { timeoutMs: 20_000 }

let shown: Shown
const demo = withDemo(async (started) => {
  shown = await shownRecords(started)
})
let opened: OpenPage | undefined
let hasFailed = false
/** The address of the screen that the page shows as it was loaded. */
let loaded: string | undefined

/** The page of the test before, or after one that failed, another page. */
async function usablePage(): Promise<OpenPage> {
  if (opened && !hasFailed) return opened
  await opened?.close()
  loaded = undefined
  // Transitions take most of the time otherwise.
  return openPage({ viewport: WIDE, reducedMotion: 'reduce' })
}

async function show(page: Page, at: string): Promise<void> {
  if (loaded === at) return
  if (loaded) return goToScreen(page, addressOf(at, shown))
  // Leave the page first: going to the same address with a fragment would not reload it.
  await page.goto(`${demo.url}/healthz`)
  await page.goto(demo.url + addressOf(at, shown))
  await screenLoaded(page)
}

async function pressEscape(page: Page, layer: Locator): Promise<void> {
  // A list of options that is open in it closes first.
  await eventually(async () => {
    await page.keyboard.press('Escape')
    await layer.waitFor({ state: 'hidden', timeout: 500 })
  }, CLOSING)
}

for (const { at, name, shows, open, close = pressEscape, isWideOnly, changesScreen } of layers)
  test(`"${name}" is accessible, fits, zoomed and narrow, light and dark, and closes`, { skip }, async () => {
    opened = await usablePage()
    hasFailed = true
    const { page, check } = opened
    await show(page, at)
    loaded = undefined
    const address = page.url()
    const [role, named] = shows
    const layer = page.getByRole(role, { name: named, exact: true })
    await open(page, layer)
    await layer.waitFor()
    await layoutEnded(page)
    await assertLayerAccessible(page, layer, name)
    assert.ok(await layer.isVisible(), `${name} has closed`)
    if (!isWideOnly) {
      await assertReflows(page, name)
      assert.ok(await layer.isVisible(), `${name} has closed in narrow windows`)
    }
    await close(page, layer)
    await layer.waitFor({ state: 'hidden' })
    check()
    const isInitial =
      page.url() === address && (await page.locator('[role=dialog], [role=menu]').count()) === 0
    if (isInitial && !changesScreen) loaded = at
    hasFailed = false
  })
