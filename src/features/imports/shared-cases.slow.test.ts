import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { accountedRows, type ImportSettings, ImportsUnderTest } from './imports.fixture.ts'
import type { ImportReport } from './schema.ts'

const CASES = new URL('../../../../shared/cases/', import.meta.url)

let api: TestApp
let imports: ImportsUnderTest
const opened: TestApp[] = []
beforeEach(async () => {
  api = await testApp()
  opened.push(api)
  imports = new ImportsUnderTest(api)
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})
after(async () => {
  for (const app of opened) await app.close()
})

/** Imports a case, twice. */
const imported = (name: string, settings?: ImportSettings): Promise<ImportReport> =>
  imports.import(readFileSync(new URL(name, CASES)), settings)

const all = async () => imports.latest(await imports.total())
const names = async () => (await all()).map(({ name }) => name)
const counts = ({ created, updated, unchanged, failed, left_out }: ImportReport) => [
  ...[created, updated, unchanged, failed, left_out],
]

describe('the cases that users reported', { skip: !existsSync(CASES) }, () => {
  test('1: sep= lines', async () => {
    for (const name of ['case-01-sep-line.csv', 'case-01-sep-line-two-columns.csv']) {
      const report = await imported(name)
      assert.equal(accountedRows(report), 2)
      assert.equal(report.file.header_row, 2)
      assert.equal(report.file.columns[0]?.name, 'Name')
    }
    assert.deepEqual(await names(), ['Tarn Ledger', 'Ostrya Foods'])
  })

  test('2: lines above the header, and footers', async () => {
    const report = await imported('case-02-preamble-and-footer.csv')
    assert.deepEqual(counts(report), [3, 0, 0, 0, 4])
    assert.deepEqual([report.file.header_row, report.failed], [5, 0])
    const revenues = (await all()).map(({ revenue_eur }) => revenue_eur)
    assert.notDeepEqual(revenues, [214_750, 9.5, null])
    assert.deepEqual(
      report.preview.map(({ company }) => company.revenue_eur ?? null),
      revenues,
    )
    const padded = await imported('case-02-footer-padded.csv')
    assert.deepEqual([padded.created + padded.updated + padded.unchanged, padded.left_out], [2, 2])
    assert.deepEqual(await names(), ['Tarn Ledger', 'Skerry Pay', 'Holm Credit'])
  })

  test('3, 32: shared hosts and articles', async () => {
    assert.deepEqual(counts(await imported('case-03-shared-hosts.csv')), [16, 0, 0, 0, 0])
    const report = await imported('case-32-article-links.csv')
    assert.deepEqual([report.created, report.failed, accountedRows(report)], [6, 1, 8])
  })

  test('4: a holding and its firms', async () => {
    const report = await imported('case-04-one-domain.csv')
    assert.deepEqual([report.created, report.updated], [3, 1])
    const employees = (await all()).map(({ name, employee_count }) => [name, employee_count]).toSorted()
    assert.deepEqual(employees, [
      ['Basalt France SAS', null],
      ['Basalt Holding AG', 810],
      ['Basalt Ventures', 9],
    ])
  })

  test('6: placeholders', async () => {
    const report = await imported('case-06-placeholders.csv')
    assert.deepEqual([report.created, report.failed], [9, 0])
    const blanks = report.warnings.reduce((sum, { count }) => sum + count, 0)
    assert.ok(blanks > 20, `${blanks} placeholders are counted`)
    assert.equal((await imports.company('Pampas Travel')).country_code, 'NA')
    assert.equal((await imports.company('Tuff Data')).country, 'Norway')
    assert.equal((await imports.company('Reed Labs')).employee_count, 5)
  })

  test('7: statuses', async () => {
    const report = await imported('case-07-statuses.csv')
    assert.deepEqual([report.created, report.failed], [8, 0])
    for (const { message } of report.bad_cells) assert.match(message, /active.*custom field/)
    const statuses = (await all()).map(({ status }) => status)
    assert.deepEqual(statuses.slice(0, 3), ['qualified', 'leads_to_call', 'shortlist'])
  })

  test('8: amounts and headcounts', async () => {
    const amounts = await imported('case-08-amounts.csv')
    assert.deepEqual([amounts.created, amounts.failed], [11, 0])
    const revenues = (await all()).map(({ revenue_eur }) => revenue_eur)
    assert.deepEqual(revenues.slice(0, 3), [null, null, null])
    assert.deepEqual(revenues.slice(7), [3_200_000, 2_000_000, 2_400_000_000, 100_000_000])
    const headcounts = await imported('case-08-headcounts.csv')
    assert.deepEqual([headcounts.created, headcounts.failed], [11, 0])
    const employees = (await imports.latest(11)).map(({ employee_count }) => employee_count)
    assert.deepEqual(employees, [11, null, null, null, 3500, 1, 80, 10_000, 1, 51, 1])
    assert.match(headcounts.bad_cells[0]?.message ?? '', /spreadsheet/)
  })

  test('9: equal headers', async () => {
    await imported('case-09-equal-headers.csv')
    const [linden, maple] = await all()
    assert.deepEqual(
      [linden?.website, linden?.hq_city, linden?.tags.toSorted()],
      ['https://lindenfleet.example', 'Turku', ['logistics', 'robots']],
    )
    assert.deepEqual([maple?.website, maple?.hq_city], ['https://mapleclinic.example', 'Bari'])
  })

  test('10: tags', async () => {
    await imported('case-10-tags.csv')
    const tags = (await all()).map((company) => company.tags.toSorted())
    const both = ['B2B', 'Robotics']
    assert.deepEqual([...tags.slice(0, 4), tags[6]], [both, both, both, both, both])
    assert.deepEqual([tags[4]?.length, tags[5]], [2, ['Robotics']])
  })

  test('11: websites', async () => {
    const report = await imported('case-11-websites.csv')
    assert.deepEqual([report.created, report.failed], [13, 0])
    const websites = (await all()).map(({ website }) => website)
    assert.deepEqual([websites[5], websites[8], websites[9]], [null, null, null])
    assert.deepEqual([websites[6], websites[7]], ['https://v7.example', 'https://v8.example'])
  })

  test('13: encodings', async () => {
    for (const name of ['russian.cp1251.csv', 'spanish.cp850.csv', 'utf16le-without-mark.tsv'])
      await imported(`case-13-${name}`)
    assert.deepEqual(await names(), [
      ...['Северный Луч', 'Каменный Брод', 'Тихая Гавань', 'Óptica Muñiz', 'Señal Añil'],
      ...['Tarn Ledger', 'Öre Verkstad'],
    ])
  })

  test('15: owners and dates', async () => {
    for (const email of ['ada@example.com', 'bob@example.com']) await api.call('GET', `/api/users/${email}`)
    const report = await imported('case-15-owners.csv')
    assert.deepEqual([report.created, report.failed], [6, 0])
    const owners = (await all()).map(({ owner_email }) => owner_email)
    assert.deepEqual(
      [owners[0], owners[2], ...owners.slice(4)],
      ['ada@example.com', 'ada@example.com', null, null],
    )
    const mapping = {
      'custom.met': { column: 'First met', type: 'date' },
      'custom.priority': { column: 'Priority?', type: 'boolean' },
      'custom.next': { column: 'Next check-in', type: 'date' },
    }
    const dates = await imported('case-15-dates.csv', { mapping })
    assert.equal(dates.created, 5)
    const met = (await imports.latest(5)).map(({ custom }) => custom.met)
    assert.deepEqual(met, ['2026-11-27', '2026-11-03', '2026-11-27', '2026-11-27', '2026-11-27'])
    const next = (await imports.latest(5)).map(({ custom }) => custom.next ?? null)
    assert.deepEqual(next, ['2026-11-27', '2026-11-27', '2026-11-27', null, '2026-11-27'])
    const priority = (await imports.latest(5)).map(({ custom }) => custom.priority ?? null)
    assert.deepEqual(priority, [true, null, true, false, true])
  })

  test('33: markets', async () => {
    const report = await imported('case-33-markets.csv', { mapping: { employee_count: 'size' } })
    assert.deepEqual([report.created, report.failed], [6, 0])
    assert.ok((await all()).every(({ hq_city }) => hq_city !== '-'))
    assert.equal((await imports.company('Ultima Pipes')).employee_count, 5000)
  })

  test('35: group homepages', async () => {
    const report = await imported('case-35-group-homepages.csv')
    assert.deepEqual([report.created, report.failed], [5, 0])
    const employees = (await all()).map(({ employee_count }) => employee_count)
    assert.deepEqual(employees, [115, null, 2790, 640, null])
  })

  test('38: a French list', async () => {
    const report = await imported('case-38-french.tsv', {
      mapping: { name: 'Nom', hq_city: 'Région', founded_year: 'Année | Outil' },
    })
    assert.deepEqual([report.created, report.failed], [5, 1])
    assert.match(report.errors[0]?.message ?? '', /line break.*/i)
    assert.match(report.errors[0]?.message ?? '', /[Rr]ow 2/)
    assert.deepEqual(
      (await all()).map(({ founded_year }) => founded_year),
      [2024, 2023, 2019, 2020, 2021],
    )
  })

  test('40: HubSpot in Portuguese', async () => {
    const report = await imported('case-40-hubspot-pt.csv')
    assert.deepEqual([report.created, report.failed, accountedRows(report)], [3, 2, 6])
    assert.deepEqual(await names(), ['Andorinha Dados', 'Beija-Flor Pães', 'Curió Logística'])
  })

  test('42: None, equal names, and bars', async () => {
    const report = await imported('case-42-none-and-same-names.csv')
    assert.deepEqual([report.created, report.failed], [5, 0])
    const bars = await imported('case-42-bars.csv', { mapping: { tags: 'company_category_list' } })
    assert.deepEqual([bars.created, bars.failed], [3, 0])
    assert.deepEqual(
      (await imports.latest(3)).map(({ tags, country_code }) => [tags.length, country_code]),
      [
        [3, 'RU'],
        [5, 'US'],
        [0, 'GB'],
      ],
    )
  })
})
