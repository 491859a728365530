/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { ada } from '#src/testing/settings.ts'
import { screenLoaded } from './axe.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

/** The room for text on A4. */
const PAPER = { width: 688, height: 970 }
const REASON = 'The team has built robots before.'
const DESCRIPTION = 'A long description. '.repeat(400).trim()
const TABS = ['', '#score', '#profile', '#source', '#similar', '#history']

const newCompany = async () => {
  const body = {
    ...{ name: 'Printed', activity_description: DESCRIPTION, website: 'https://printed.example' },
    ...{ hq_city: 'Tromsø', owner_email: ada, llm_score_overall: 80 },
    llm_score_details: { criteria: [{ name: 'team', score: 80, reason: REASON }] },
  }
  return (await demo.api.createCompany({ body })).data
}

/** Opens an address and prints it. Returns the number of pages. */
async function print(page: Page, address: string): Promise<number> {
  await page.goto(demo.url + address)
  await screenLoaded(page)
  await page.emulateMedia({ media: 'print' })
  // The page notices it with the next frame.
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  for (const hidden of [
    'header',
    'nav',
    '[role=tablist]',
    'main button:not([data-printed])',
    '.mantine-Skeleton-root',
  ])
    assert.equal(await page.locator(`${hidden} >> visible=true`).count(), 0, `${address} ${hidden}`)
  const [isCut, isWide] = await page.evaluate(() => [
    [...document.querySelectorAll('main [data-line-clamp]')].some(
      (element) => element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0,
    ),
    document.documentElement.scrollWidth > innerWidth,
  ])
  assert.deepEqual([isCut, isWide], [false, false], address)
  const pages = pagesOf(await page.pdf({ format: 'A4' }))
  for (const [index, content] of pages.entries())
    assert.match(content, /T[jJ]\b/, `${address}: page ${index + 1} of ${pages.length} is blank`)
  return pages.length
}

async function toScreen(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'screen' })
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark')
}

/** The drawing operations of each page of a PDF. */
function pagesOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/\/Type ?\/Page\b[\s\S]*?\/Contents (\d+) 0 R/g)].map(([, id]) => {
    const object = new RegExp(`\n${id} 0 obj[\\s\\S]*?stream\r?\n`).exec(text)
    assert.ok(object, `object ${id}`)
    return inflateSync(pdf.subarray(object.index + object[0].length)).toString('latin1')
  })
}

/** The printed text, without the age of the record. */
const printedText = async (page: Page) =>
  (await page.evaluate(() => document.body.innerText)).replace(/^Updated .*$/m, '')

test('a company prints its facts, description, and the reasons for its score, regardless of the open tab', {
  skip,
}, async () => {
  const { page, check, close } = await openPage({ colorScheme: 'dark', viewport: PAPER })
  const company = await newCompany()
  const about = [{ type: 'company' as const, id: company.id }]
  await demo.api.createNote({
    body: { kind: 'call', body: 'They print at night.', happened_at: '2024-01-01T10:00:00Z', about },
  })
  const sheets: [number, string][] = []
  for (const tab of TABS) {
    const count = await print(page, `/companies/${company.id}${tab}`)
    const text = await printedText(page)
    for (const part of [
      DESCRIPTION,
      REASON,
      'Tromsø',
      'printed.example',
      'Printed',
      'Executives',
      'print at night',
    ])
      assert.equal(text.split(part).length > 1, true, `${tab}: ${part}`)
    assert.equal(text.split(REASON).length, 2, `${tab}: the reason is printed once`)
    sheets.push([count, text])
    await toScreen(page)
  }
  for (const sheet of sheets) assert.deepEqual(sheet, sheets[0])
  assert.equal(sheets[0]?.[0], 2)
  check()
  await close()
})

test('a thesis prints its report, regardless of the open tab', { skip }, async () => {
  const { page, check, close } = await openPage({ colorScheme: 'dark', viewport: PAPER })
  const body = {
    ...{ code: 'PRINT', title: 'Printed thesis', summary: 'Why paper lasts.' },
    report_markdown: '## Market\n\nPrinters are everywhere.',
  }
  const { id } = (await demo.api.createThesis({ body })).data
  for (const [tab, ...others] of [['', 'Linked companies'], ['?tab=matches']] as const) {
    const count = await print(page, `/theses/${id}${tab}`)
    const text = await printedText(page)
    for (const part of ['Printed thesis', 'Why paper lasts.', 'Printers are everywhere.', ...others])
      assert.ok(text.includes(part), `${tab}: ${part}`)
    assert.equal(count, 1)
    await toScreen(page)
  }
  check()
  await close()
})

test('text typed in another tab is kept when the page is printed', { skip }, async () => {
  const { page, check, close } = await openPage({ colorScheme: 'dark', viewport: PAPER })
  const company = await newCompany()
  await page.goto(`${demo.url}/companies/${company.id}#score`)
  await page.getByRole('button', { name: /^Edit Score/ }).click()
  const score = page.getByRole('textbox', { name: 'Score (0–100)' })
  await score.fill('7')
  await page.emulateMedia({ media: 'print' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  await toScreen(page)
  assert.equal(await score.inputValue(), '7')
  const { data } = await demo.api.getCompany({ params: { id: company.id } })
  assert.equal(data.company.llm_score_overall, 80)
  check()
  await close()
})

// Such browsers lay the page out as soon as the event has been handled.
test('browsers that report no media change print the same', { skip }, async () => {
  const { page, check, close } = await openPage({ colorScheme: 'dark', viewport: PAPER })
  const company = await newCompany()
  for (const tab of TABS.filter((one) => one !== '#score')) {
    await page.goto(`${demo.url}/companies/${company.id}${tab}`)
    await screenLoaded(page)
    const printed = await page.evaluate(() =>
      ['beforeprint', 'afterprint'].map((event) => {
        dispatchEvent(new Event(event))
        const { mantineColorScheme } = document.documentElement.dataset
        const text = document.querySelector('main')?.innerText ?? ''
        return [
          mantineColorScheme,
          text.includes('built robots before') && text.includes('A long description'),
        ]
      }),
    )
    assert.deepEqual(
      printed,
      [
        ['light', true],
        ['dark', false],
      ],
      tab,
    )
  }
  check()
  await close()
})

test('the pipeline prints all stages with their deals, as a board and as a list', { skip }, async () => {
  const { page, check, close } = await openPage({ colorScheme: 'dark', viewport: PAPER })
  const { data: stages } = await demo.api.getDealStages({ querystring: { limit: 50 } })
  const deals = stages.flatMap(({ records }) => records)
  await page.goto(`${demo.url}/pipeline`)
  await page.getByRole('button', { name: 'Collapse Initial' }).click()
  await print(page, '/pipeline')
  const board = await page.evaluate(() => document.body.innerText)
  for (const { label } of stages) assert.ok(board.includes(label), label)
  for (const { company_name, probability } of deals) {
    assert.ok(board.includes(String(company_name)), `board: ${company_name}`)
    if (probability !== null) assert.ok(board.includes(`${probability}%`), `board: ${probability}%`)
  }
  const fade = await page.getByRole('region', { name: 'Deals by stage' }).evaluate((element) => {
    const frame = element.parentElement as HTMLElement
    // The state until the page notices that it is wider on paper.
    frame.dataset.moreAfter = 'true'
    return getComputedStyle(frame, '::after').content
  })
  assert.equal(fade, 'none')
  await toScreen(page)
  await print(page, '/pipeline?layout=list')
  const heads = await page.locator('th >> visible=true').allInnerTexts()
  assert.deepEqual(heads.slice(0, 4), ['Company', 'Stage', 'Owner', 'Amount'])
  const list = await page.evaluate(() => document.body.innerText)
  for (const { company_name } of deals)
    assert.ok(list.includes(String(company_name)), `list: ${company_name}`)
  check()
  await close()
})

test('the list of companies prints its columns, with a line for each company', { skip }, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1010, height: 650 } })
  await page.goto(`${demo.url}/companies`)
  await page.locator('tbody tr').first().waitFor()
  await screenLoaded(page)
  await page.emulateMedia({ media: 'print' })
  const heads = await page.locator('th >> visible=true').allInnerTexts()
  assert.ok(heads.includes('Status'), String(heads))
  const heights = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.clientHeight))
  assert.ok(heights.length > 20 && Math.max(...heights) < 60, String(heights))
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  check()
  await close()
})
