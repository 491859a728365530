/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, screenLoaded } from './axe.ts'
import { launchChromium, type OpenPage, openPage, skip } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

/** For visual review. Ignored by git. */
const SCREENSHOTS = path.join(import.meta.dirname, '..', 'screenshots')

/** A screen has one layout below 768 pixels, one below 1440, and one above. */
const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 900 }
const WIDEST = { width: 2560, height: 900 }

/** Addresses of all screens, with the names of records that the demo has. */
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
  'bulk-action': '/bulk-actions/{action}',
  activity: '/activity',
  trash: '/trash',
  duplicates: '/duplicates',
  settings: '/settings',
}

let browser: Browser
let demo: Demo
let opened: OpenPage
let ids: Record<string, string | undefined>
before(async () => {
  if (skip) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  demo = await startDemo()
  browser = await launchChromium()
  opened = await openPage(browser, { viewport: WIDE })
  const [company] = (await demo.api.listCompanies({ querystring: { limit: 1, sort: '-llm_score_overall' } }))
    .data
  const [thesis] = (await demo.api.listTheses()).data
  const [action] = (await demo.api.listBulkActions()).data
  ids = { company: company?.id, thesis: thesis?.id, action: action?.id }
})
after(async () => {
  await browser?.close()
  await demo?.close()
})

for (const [name, address] of Object.entries(SCREENS))
  test(`the screen "${name}" is accessible and fits, narrow and wide, light and dark`, { skip }, async () => {
    const { page } = opened
    await page.goto(demo.url + address.replace(/\{(\w+)\}/, (_match, record) => ids[record] ?? ''))
    await screenLoaded(page)
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) })
    await assertAccessible(page, name, [NARROW, WIDEST])
    opened.check()
  })
