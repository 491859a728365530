/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium, openPage, skip } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

/** For visual review. Ignored by git. */
const SCREENSHOTS = path.join(import.meta.dirname, '..', 'screenshots')

const axe = readFileSync(
  path.join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'),
  'utf8',
)

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

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
      await page.locator('main h1').waitFor()
      await page.waitForLoadState('networkidle')
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
      // Contrast cannot be measured during transitions.
      await page.waitForTimeout(400)
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${colorScheme}-${width}.png`) })
      await page.evaluate(axe)
      const violations = (await page.evaluate(
        'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
      )) as Violation[]
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`),
        [],
        name,
      )
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`)
    }
    check()
    await close()
  })
