/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { assertAccessible, goToScreen, screenLoaded } from './axe.ts'
import { type OpenPage, openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { addressOf, type Shown, shownRecords } from './shown.ts'

/** For visual review. Ignored by git. */
const SCREENSHOTS = path.join(import.meta.dirname, '..', 'screenshots')

/** A screen has one layout below 768 pixels, one below 1440, and one above. */
const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 900 }
const WIDEST = { width: 2560, height: 900 }

/** Addresses of all screens, with the names of records that they show. */
const SCREENS = {
  home: '/home',
  companies: '/companies',
  'companies-semantic': '/companies?q=robots+for+warehouses&by=semantic',
  import: '/companies/import',
  company: '/companies/{company}',
  pipeline: '/pipeline',
  'pipeline-list': '/pipeline?view=list',
  theses: '/theses',
  thesis: '/theses/{thesis}',
  matches: '/theses/{thesis}?tab=matches',
  'bulk-actions': '/bulk-actions',
  'bulk-action': '/bulk-actions/{bulkAction}',
  activity: '/activity',
  action: '/activity/actions/{action}',
  trash: '/trash',
  duplicates: '/duplicates',
  settings: '/settings',
  sessions: '/settings/sessions',
  keys: '/settings/keys',
  fields: '/settings/fields',
  tags: '/settings/tags',
  stages: '/settings/stages',
  users: '/admin/users',
  audit: '/admin/audit',
  'page-not-found': '/no-such-page',
}

let opened: OpenPage | undefined
let shown: Shown
const demo = withDemo(async (started) => {
  mkdirSync(SCREENSHOTS, { recursive: true })
  shown = await shownRecords(started)
})

/** Shows a screen in the page of the test before, or in a new one if that test failed. */
async function show(address: string): Promise<OpenPage> {
  const former = opened
  opened = undefined
  if (former) {
    await goToScreen(former.page, address)
    return former
  }
  const fresh = await openPage({ viewport: WIDE })
  await fresh.page.goto(demo.url + address)
  await screenLoaded(fresh.page)
  return fresh
}

for (const [name, address] of Object.entries(SCREENS))
  test(`the screen "${name}" is accessible and fits, narrow and wide, light and dark`, { skip }, async () => {
    const used = await show(addressOf(address, shown))
    const { page, check } = used
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) })
    await assertAccessible(page, name, [NARROW, WIDEST], true)
    check()
    opened = used
  })
