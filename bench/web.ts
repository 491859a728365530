/// <reference lib="dom" />
/** `npm run bench:web` measures the production build of the web app in Chromium, with a large database of its own. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { createClient } from '#src/client/client.ts'
import { STAGES } from '#src/features/deals/schema.ts'
import { createPostgres } from '#src/testing/database.ts'
import { audit } from './lighthouse.ts'
import { load, type Place } from './load.ts'
import { startService } from './processes.ts'
import { foundInPalette } from './web/palette.ts'
import { changeScreens } from './web/screen-changes.ts'
import { slowVisit } from './web/slow-visit.ts'
import { median, newVisitor, observedIn, recordUsable, usableAfter } from './web/visitor.ts'

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    pages: { type: 'string', default: '20' },
  },
})
const companies = Number(values.companies)
const pages = Number(values.pages)

const DEALS = 60

const MAX_SCRIPT_BYTES = 300 * 1000
const MAX_SCRIPTS = 15
const MAX_PAGING_MS = 100
const MAX_BLOCKING_MS = 50
const MAX_SLOW_VISIT_MS = 3000
const MAX_CHANGE_MS = { cold: 250, warm: 100 }
const MAX_FOUND_MS = 60

async function measureAll(browser: Browser, url: string, company: string): Promise<boolean> {
  const verdicts: boolean[] = []
  const report = (what: string, value: string, isMet?: boolean) => {
    if (isMet !== undefined) verdicts.push(isMet)
    console.log(
      `${what.padEnd(52)}${value.padStart(20)}${isMet === undefined ? '' : isMet ? '  met' : '  NOT MET'}`,
    )
  }
  for (const [address, isUsable] of [
    ['/', 'button[type=submit]'],
    ['/home', 'main h1'],
    ['/companies', 'table tbody tr:nth-child(20)'],
    [`/companies/${company}`, 'main h1'],
    ['/pipeline', 'main [data-deal]'],
  ] as const) {
    const first = await firstLoad(browser, url, address, isUsable)
    const screen = address.replace(company, ':id')
    report(
      `${screen}: scripts before it is usable`,
      kilobytes(first.scripts),
      first.scripts <= MAX_SCRIPT_BYTES,
    )
    report(`${screen}: script requests`, String(first.requests), first.requests <= MAX_SCRIPTS)
    report(`${screen}: usable after`, milliseconds(first.usable))
    report(`${screen}: largest contentful paint`, milliseconds(first.largestPaint))
    report(`${screen}: total blocking time`, milliseconds(first.blocking))
  }
  for (const [address, isUsable] of [
    ['/home', 'main h1'],
    ['/companies', 'a[data-record]'],
  ] as const)
    for (const width of [1280, 412]) {
      const shown = await slowVisit(browser, url + address, { isUsable, width })
      const what = `${address}: usable over a slow connection, ${width} px`
      report(what, milliseconds(shown), shown <= MAX_SLOW_VISIT_MS)
    }
  const changes = await changeScreens(browser, url)
  for (const kind of ['cold', 'warm'] as const)
    for (const { screen, [kind]: time } of changes)
      report(`${screen} from the sidebar, ${kind}`, milliseconds(time), time <= MAX_CHANGE_MS[kind])
  const found = await foundInPalette(browser, url)
  report('records in the palette, 95th percentile', milliseconds(found), found <= MAX_FOUND_MS)
  const paging = await nextPages(browser, url)
  report('next page of companies, median', milliseconds(median(paging.map(({ all }) => all))))
  report('  of which the API, median', milliseconds(median(paging.map(({ api }) => api))))
  const over = median(paging.map(({ all, api }) => Math.max(0, all - api)))
  report('  over the API, median', milliseconds(over), over <= MAX_PAGING_MS)
  const blocked = await typing(browser, url)
  report('typing in the search box: longest task', milliseconds(blocked), blocked <= MAX_BLOCKING_MS)
  for (const address of ['/home', '/companies', `/companies/${company}`, '/pipeline'])
    for (const device of ['desktop', 'mobile'] as const) {
      const {
        scores,
        isMet,
        benchmarkIndex,
        faults: errors,
      } = await audit(url + address, device, executablePath)
      const what = `${address.replace(company, ':id')}: Lighthouse, ${device} (index ${benchmarkIndex})`
      report(what, scores.map((score) => score.toFixed(2)).join(' '), isMet)
      for (const error of errors) console.log(`  ${error}`)
    }
  return verdicts.every(Boolean)
}

/** Opens a deal with each of these companies, in every stage in turn. */
async function openDeals(url: string, companies: string[]): Promise<void> {
  const client = createClient({ baseUrl: url, headers: { 'x-user-email': 'bench@example.com' } })
  for (const [index, id] of companies.entries())
    await client.createDeal({
      body: { company_id: id, stage: STAGES[index % STAGES.length] ?? '', amount_eur: (index + 1) * 100_000 },
    })
}

async function firstLoad(browser: Browser, url: string, address: string, isUsable: string) {
  const context = await newVisitor(browser, address !== '/')
  await recordUsable(context, isUsable)
  const page = await context.newPage()
  await page.goto(url + address)
  await page.locator(isUsable).first().waitFor()
  await page.waitForTimeout(2000)
  const { largestPaint, longTasks } = await observedIn(page)
  const usable = await usableAfter(page)
  const sizes = await page.evaluate(scriptsUntil, usable)
  await context.close()
  const scripts = sizes.reduce((sum, size) => sum + size, 0)
  const blocking = longTasks.reduce((sum, duration) => sum + duration - MAX_BLOCKING_MS, 0)
  return { scripts, requests: sizes.length, usable, largestPaint, blocking }
}

/** Runs in the page. Returns the compressed sizes, in bytes, of the scripts that had loaded by this time. */
function scriptsUntil(time: number): number[] {
  return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= time)
    .map(({ encodedBodySize }) => encodedBodySize)
}

/** Times from clicking the next page until new rows are painted, and the API's part of it. */
async function nextPages(browser: Browser, url: string): Promise<{ all: number; api: number }[]> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  await page.goto(`${url}/companies`)
  await page.locator('table tbody tr:nth-child(20)').waitFor()
  const times: { all: number; api: number }[] = []
  for (let turn = 0; turn < pages; turn++) {
    // A fast reader stays this long on a page.
    await page.waitForTimeout(400)
    times.push(await page.evaluate(clickNext))
  }
  await context.close()
  return times
}

/** Runs in the page. */
function clickNext(): Promise<{ all: number; api: number }> {
  const rows = document.querySelector('table tbody') as HTMLElement
  const button = document.querySelector('button[aria-label="Next page"]') as HTMLButtonElement
  const previous = rows.innerText
  performance.clearResourceTimings()
  const began = performance.now()
  return new Promise((resolve) => {
    const look = () => {
      if (rows.innerText === previous) return void requestAnimationFrame(look)
      const painted = performance.now()
      const api = performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => name.includes('/api/companies?') && startTime < painted)
      resolve({ all: painted - began, api: api[0]?.duration ?? 0 })
    }
    button.click()
    requestAnimationFrame(look)
  })
}

/** The longest task while typing, in milliseconds; 0 if none exceeds 50 ms. */
async function typing(browser: Browser, url: string): Promise<number> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  await page.goto(`${url}/companies`)
  await page.locator('table tbody tr:nth-child(20)').waitFor()
  await page.waitForTimeout(1000)
  const before = (await observedIn(page)).longTasks.length
  await page.getByRole('searchbox').click()
  await page.keyboard.type('software for small warehouses', { delay: 80 })
  await page.waitForTimeout(1500)
  const { longTasks } = await observedIn(page)
  await context.close()
  return Math.max(0, ...longTasks.slice(before))
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`
const milliseconds = (time: number): string => `${time.toFixed(0)} ms`

const executablePath =
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file)) ??
  '/usr/bin/chromium'
const server = process.env.DATABASE_URL
const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-bench-'))
const postgres = server ? await createPostgres(server) : undefined
const place: Place = { databaseUrl: postgres?.url, dataFolder }
execFileSync(process.execPath, ['web/build.ts', '--if-needed'], { stdio: 'inherit' })
try {
  console.log(`${companies} companies, ${server ? 'PostgreSQL' : 'the embedded database'}, Chromium\n`)
  const ids = await load(place, companies)
  const [company = ''] = ids
  const service = await startService(place)
  await openDeals(service.url, ids.slice(0, DEALS))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    process.exitCode = (await measureAll(browser, service.url, company)) ? 0 : 1
  } finally {
    await browser.close()
    await service.stop()
  }
} finally {
  await postgres?.drop()
  await rm(dataFolder, { recursive: true, force: true })
}
