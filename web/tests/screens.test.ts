/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, screenLoaded } from './axe.ts'
import { launchChromium, openPage, skip } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

/** For visual review. Ignored by git. */
const SCREENSHOTS = path.join(import.meta.dirname, '..', 'screenshots')

let browser: Browser
let demo: Demo
let screens: [name: string, address: string][]
before(async () => {
  if (skip) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  demo = await startDemo()
  browser = await launchChromium()
  const company = (await demo.api.listCompanies({ querystring: { limit: 1, sort: '-llm_score_overall' } }))
    .data[0]
  const thesis = (await demo.api.listTheses()).data[0]
  const action = (await demo.api.listBulkActions()).data[0]
  screens = [
    ['home', '/home'],
    ['companies', '/companies'],
    ['companies-semantic', '/companies?q=robots+for+warehouses&by=semantic'],
    ['import', '/companies/import'],
    ['company', `/companies/${company?.id}`],
    ['pipeline', '/pipeline'],
    ['pipeline-list', '/pipeline?view=list'],
    ['theses', '/theses'],
    ['thesis', `/theses/${thesis?.id}`],
    ['bulk-actions', '/bulk-actions'],
    ['bulk-action', `/bulk-actions/${action?.id}`],
    ['activity', '/activity'],
    ['settings', '/settings'],
  ]
})
after(async () => {
  await browser?.close()
  await demo?.close()
})

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 2560],
] as const)
  test(`every screen is accessible and fits: ${colorScheme}, ${width} pixels wide`, { skip }, async () => {
    const { page, check, close } = await openPage(browser, {
      colorScheme,
      viewport: { width, height: 900 },
    })
    for (const [name, address] of screens) {
      await page.goto(demo.url + address)
      await screenLoaded(page)
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${colorScheme}-${width}.png`) })
      await assertAccessible(page, name)
    }
    check()
    await close()
  })
