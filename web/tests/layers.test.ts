/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, layoutEnded, screenLoaded } from './axe.ts'
import { launchChromium, type OpenPage, openPage, skip } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'
import { layers } from './layers.ts'
import { assertReflows } from './reachable.ts'
import { addressOf, type Shown, shownRecords } from './shown.ts'

const WIDE = { width: 1280, height: 900 }
/** In the table, which narrow windows do not have. */
const WIDE_ONLY = ['columns', 'column menu']

let browser: Browser
let demo: Demo
let opened: OpenPage
let shown: Shown
before(async () => {
  if (skip) return
  // Faster than anyone works.
  demo = await startDemo({ RATE_LIMIT_STANDARD: '0' })
  browser = await launchChromium()
  // Transitions take most of the time otherwise.
  opened = await openPage(browser, { viewport: WIDE, reducedMotion: 'reduce' })
  shown = await shownRecords(demo)
})
after(async () => {
  await browser?.close()
  await demo?.close()
})

for (const [name, { at, shows, open }] of layers)
  test(`"${name}" is accessible and fits: zoomed, narrow, light, and dark`, { skip }, async () => {
    const { page, check } = opened
    // Another address first: the same one with a fragment would not load the screen again.
    await page.goto(`${demo.url}/healthz`)
    await page.goto(demo.url + addressOf(at, shown))
    await screenLoaded(page)
    const [role, named] = shows
    const layer = page.getByRole(role, { name: named, exact: true })
    await open(page, layer)
    await layer.waitFor()
    await layoutEnded(page)
    await assertAccessible(page, name, [], true)
    assert.ok(await layer.isVisible(), `${name} has closed`)
    if (!WIDE_ONLY.includes(name)) {
      await assertReflows(page, name)
      assert.ok(await layer.isVisible(), `${name} has closed in narrow windows`)
    }
    check()
  })
