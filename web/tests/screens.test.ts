/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isQuick } from '#src/testing/slow.ts'
import { SCREENS } from './all-screens.ts'
import { assertAccessible, goToScreen, screenLoaded } from './axe.ts'
import { type OpenPage, openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { assertReflows } from './reachable.ts'
import { addressOf, type Shown, shownRecords } from './shown.ts'

/** For visual review. Ignored by git. */
const SCREENSHOTS = path.join(import.meta.dirname, '..', 'screenshots')

/** A screen has one layout below 768 pixels, one below 1440, and one above. */
const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 900 }
const WIDEST = { width: 2560, height: 900 }

let opened: OpenPage | undefined
let shown: Shown
const demo = withDemo(async (started) => {
  mkdirSync(SCREENSHOTS, { recursive: true })
  shown = await shownRecords(started)
})

/** Shows a screen in the page of the previous test, or in a new one if that test failed. */
async function show(address: string): Promise<OpenPage> {
  const previous = opened
  opened = undefined
  if (previous) {
    await goToScreen(previous.page, address)
    return previous
  }
  const fresh = await openPage({ viewport: WIDE })
  await fresh.page.goto(demo.url + address)
  await screenLoaded(fresh.page)
  return fresh
}

// Unless this is `npm test`: narrow, zoomed, and wide, light and dark.
for (const [name, address] of Object.entries(SCREENS))
  test(`the screen "${name}" is accessible and fits`, { skip }, async () => {
    const used = await show(addressOf(address, shown))
    const { page, check } = used
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) })
    await assertAccessible(page, name, [NARROW, WIDEST], true)
    if (!isQuick) await assertReflows(page, name)
    check()
    opened = used
  })
