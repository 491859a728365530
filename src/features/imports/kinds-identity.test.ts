import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sourceKey } from '#src/features/companies/files.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { slow } from '#src/testing/slow.ts'
import { accountedRows, csvOf, ImportsUnderTest, type StoredValues } from './imports.fixture.ts'

let api: TestApp
let imports: ImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new ImportsUnderTest(api)
})
after(() => api.close())

/** Hosts that many companies share, with a page of each of two companies. */
const PAGES: Readonly<Record<string, readonly [string, string]>> = {
  linkedin: ['https://de.linkedin.com/company/one-h5', 'https://www.linkedin.com/company/two-h5/'],
  facebook: ['https://m.facebook.com/oneh5', 'https://facebook.com/twoh5'],
  query: ['https://www.facebook.com/profile.php?id=10051', 'https://www.facebook.com/profile.php?id=10052'],
  appStore: ['https://apps.apple.com/us/app/one/id10051', 'https://apps.apple.com/us/app/two/id10052'],
  playStore: [
    'https://play.google.com/store/apps/details?id=h5.one',
    'https://play.google.com/store/apps/details?id=h5.two',
  ],
  subdomain: ['https://one-h5.wordpress.com', 'https://two-h5.wordpress.com'],
  github: ['https://github.com/one-h5', 'https://github.com/two-h5'],
  wikipedia: ['https://en.wikipedia.org/wiki/One_H5', 'https://de.wikipedia.org/wiki/Two_H5'],
  short: ['https://bit.ly/1h5one', 'https://bit.ly/1h5two'],
  crunchbase: [
    'https://www.crunchbase.com/organization/one-h5',
    'https://www.crunchbase.com/organization/two-h5',
  ],
  placeholder: ['n.a.', 'n.a.'],
  samePage: ['https://techcrunch.com/2026/h5-round', 'https://techcrunch.com/2026/h5-round'],
  bare: ['bit.ly', 'bit.ly'],
}

test('companies with pages on shared hosts stay apart, each with its own values', async () => {
  for (const [kind, pages] of Object.entries(PAGES)) {
    const rows = pages.map((page, index) => [`${kind} Firm ${'AB'[index]}`, page, `${10 + index}`])
    const { values } = await imports.fieldOf('employee_count', [['Company', 'Website', 'Employees'], ...rows])
    assert.deepEqual(Object.values(values), [10, 11], kind)
  }
})

test('links to one article, or to one unknown site, do not join companies', async () => {
  const rows = Array.from({ length: 8 }, (_value, n) => [
    `Article Firm ${n}`,
    n < 3 ? 'https://h5-news.example/round' : `https://h5-news.example/en/${n}`,
    `${n + 1}`,
  ])
  const file = csvOf([['Company', 'URL', 'Employees'], ...rows, ['', 'https://h5-news.example/x', '9']])
  const report = await imports.import(file)
  assert.deepEqual([report.created, report.failed], [8, 1])
  const companies = await imports.latest(8)
  assert.deepEqual(
    companies.map(({ name, employee_count }) => [name, String(employee_count)]),
    rows.map(([name, , count]) => [name, count]),
  )
})

test('a later round of one company updates it, although its article is another one', async () => {
  const file =
    'Company,URL,City\nRound One AG,https://h5-press.example/a,Bern\nRound Two AG,https://h5-press.example/b,Basel\n' +
    'Round Three AG,https://h5-press.example/c,Zug\nRound Two AG,https://h5-press.example/d,Basel\n'
  const report = await imports.import(file)
  assert.deepEqual([report.created, report.updated + report.unchanged], [3, 1])
})

test('a group and its firms with one domain are several companies, and a row of one of them updates it', async () => {
  const file =
    'Company,Website,Country,City,Employees\n' +
    'Onyx Group SE,https://onyx-h5.example,Germany,Bonn,900\n' +
    'Onyx Iberia SL,https://www.onyx-h5.example/es,Spain,Vigo,\n' +
    'Onyx Group SE,https://onyx-h5.example/imprint,Germany,Bonn,910\n'
  const dry = await imports.report(file, { dry_run: true })
  assert.deepEqual(
    dry.questions.map(({ name, kind, companies }) => [name, kind, companies.map((other) => other.name)]),
    [['Onyx Iberia SL', 'website', ['Onyx Group SE']]],
  )
  const report = await imports.import(file)
  assert.deepEqual([report.created, report.updated, report.conflicts], [2, 1, 1])
  assert.equal((await imports.company('Onyx Group SE')).employee_count, 910)
  assert.equal((await imports.company('Onyx Iberia SL')).employee_count, null)
})

test('firms on the homepage of their group keep their blank cells', async () => {
  const file =
    'Company,Employees,Revenue,Homepage\n' +
    'Slate Health,115,"€82,800,000",http://www.slate-h5.example/\nSlate Food,,,http://www.slate-h5.example/food\n' +
    'Marl Air,640,,http://marl-h5.example/air\nMarl Sea,,€5m,https://marl-h5.example\n'
  assert.equal((await imports.import(file)).created, 4)
  const values = async (name: string) => {
    const { employee_count, revenue_eur } = await imports.company(name)
    return [employee_count, revenue_eur]
  }
  assert.deepEqual(await values('Slate Food'), [null, null])
  assert.deepEqual(await values('Slate Health'), [115, 82_800_000])
  assert.deepEqual(await values('Marl Air'), [640, null])
  assert.deepEqual(await values('Marl Sea'), [null, 5_000_000])
})

test('equal names in other countries or cities are several companies', async () => {
  const file =
    'Company,Country,City,Founded,Industry\nPrism,United States,Austin,2017,Retail\nPrism,United States,Boston,1999,Chips\n' +
    'Prism,Brazil,Recife,None,Banking\nPrism,Estonia,Tallinn,2013,None\n'
  const report = await imports.import(file)
  assert.equal(report.created, 4)
  assert.deepEqual(
    report.questions.map(({ row, kind }) => [row, kind]),
    [[3, 'name']],
  )
  const found = (await imports.named('Prism')).map(({ hq_city, founded_year }) => [hq_city, founded_year])
  assert.deepEqual(found, [
    ['Austin', 2017],
    ['Boston', 1999],
    ['Recife', null],
    ['Tallinn', 2013],
  ])
})

test('names without letters that differ in their signs are several companies', async () => {
  const names = ['! LTD', '!! LTD', 'C++', 'C#', 'C', '+Plus+', '+++', '!!!', '$', '€', '& &']
  const report = await imports.import(csvOf([['Company', 'City'], ...names.map((name) => [name, 'Bonn'])]))
  assert.equal(report.created, names.length, JSON.stringify([report.errors, report.changes]))
  assert.deepEqual(
    (await imports.latest(names.length)).map(({ name }) => name),
    names,
  )
})

test('one company with and without its country is one', async () => {
  const file = 'Company,Country,City\nFlint Logistics,Brazil,Recife\nFlint Logistics,,\n'
  const report = await imports.import(file)
  assert.deepEqual([report.created, report.unchanged, report.conflicts], [1, 1, 0])
})

const names = Array.from({ length: 300 }, (_value, n) => `Staged Firm ${n}`)
const stages: Record<string, string[][]> = {
  names: [['Company'], ...names.map((name) => [name])],
  websites: [['Company', 'Website'], ...names.map((name, n) => [name, `staged-${n}.example`])],
  countries: [['Company', 'Country'], ...names.map((name) => [name, 'Spain'])],
  cities: [
    ['Company', 'Website', 'City'],
    ...names.map((name, n) => [name, `www.staged-${n}.example/en`, 'Vigo']),
  ],
}

test('four imports of one list, each with something more, leave as many companies as the first', {
  skip: slow,
}, async () => {
  const before = await imports.total()
  for (const [stage, rows] of Object.entries(stages)) {
    const report = await imports.import(csvOf(rows))
    assert.deepEqual([report.created, report.conflicts], [stage === 'names' ? names.length : 0, 0], stage)
  }
  assert.equal(await imports.total(), before + names.length)
  const { website, country_code, hq_city } = await imports.company('Staged Firm 42')
  assert.deepEqual([website, country_code, hq_city], ['https://www.staged-42.example/en', 'ES', 'Vigo'])
})

test('the dry run is what happens with rows of one company far apart, at 1,500 rows', async () => {
  const rows = Array.from({ length: 1500 }, (_value, n) => [
    `Far Firm ${n % 700}`,
    n % 3 === 0 ? `far-${n % 700}.example` : '',
    n % 2 === 0 ? 'Italy' : '',
    String(n),
  ])
  const report = await imports.import(csvOf([['Company', 'Website', 'Country', 'Employees'], ...rows]))
  assert.equal(report.created, 700)
  assert.equal(accountedRows(report), 1500)
  assert.equal((await imports.company('Far Firm 5')).employee_count, 1405)
})

test('an export of this service imports unchanged', async () => {
  const { body } = await api.call('GET', '/api/companies/export')
  const report = await imports.report(body)
  const { created, updated, unchanged, failed, left_out, conflicts } = report
  assert.deepEqual(
    { created, updated, unchanged, failed, left_out, conflicts },
    { created: 0, updated: 0, unchanged: await imports.total(), failed: 0, left_out: 0, conflicts: 0 },
  )
})

test('a row about a company that was merged into another does not overwrite the survivor', async () => {
  const file =
    'Company,Website,Country,Employees\nMerged Away,merged-h5.example,Spain,7\nSurvivor,survivor-h5.example,Spain,500\n'
  await imports.import(file)
  const ids = async () => [(await imports.company('Survivor')).id, (await imports.company('Merged Away')).id]
  const [survivor, merged] = await ids()
  const answer = await api.call('POST', `/api/companies/${survivor}/merge`, { from: [merged] })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const report = await imports.report(file)
  assert.deepEqual([report.created, report.updated], [0, 0])
  const { name, website, employee_count }: StoredValues = await imports.company('Survivor')
  assert.deepEqual([name, website, employee_count], ['Survivor', 'https://survivor-h5.example', 500])
  const more = await imports.report('Company,Country,City,Employees\nMerged Away,Spain,Vigo,9\n')
  assert.deepEqual([more.created, more.updated], [0, 1])
  const after = await imports.company('Survivor')
  assert.deepEqual([after.hq_city, after.employee_count], ['Vigo', 500])
})

test('a company in the trash stays there or is restored, as on_trashed says', async () => {
  const file = 'Company,City\nTrashed Firm,Rome\n'
  await imports.import(file)
  const { id } = await imports.company('Trashed Firm')
  assert.equal((await api.call('DELETE', `/api/companies/${id}`)).status, 204)
  const skipped = await imports.import(file)
  assert.deepEqual([skipped.created, skipped.trashed, accountedRows(skipped)], [0, 1, 1])
  assert.deepEqual(await imports.named('Trashed Firm'), [])
  const dry = await imports.report(file, { on_trashed: 'restore', dry_run: true })
  const restored = await imports.report(file, { on_trashed: 'restore' })
  assert.deepEqual([dry.restored, restored.restored, restored.created], [1, 1, 0])
  assert.equal((await imports.company('Trashed Firm')).id, id)
})

test('the source file of a company has all of its rows', async () => {
  const file = 'Company,City,Employees\nSourced Firm,Rome,1\nOther Firm,Bari,2\nSourced Firm,Rome,3\n'
  await imports.import(file)
  const source = await api.context.objects.read(sourceKey((await imports.company('Sourced Firm')).id))
  assert.equal(source?.toString(), 'Company,City,Employees\r\nSourced Firm,Rome,1\r\nSourced Firm,Rome,3\r\n')
})

test('the report of an import is kept', async () => {
  const report = await imports.report('Company,Website,Employees\nKept Firm,kept-h5.example,many\n-,,\n')
  const { data } = (await api.call('GET', '/api/imports?limit=1')).body
  const kept = (await api.call('GET', `/api/imports/${data[0].id}`)).body.data.report
  for (const list of [
    'errors',
    'bad_cells',
    'warnings',
    'new_rows',
    'questions',
    'left_out_rows',
    'formats',
  ] as const)
    assert.deepEqual(kept[list], report[list], list)
})

test('names in another spelling stay apart and are questions, unless the website is the same', async () => {
  const spelled = ['Möller Rohre', 'Moller Rohre', 'Moller-Rohre', 'MOLLER ROHRE']
  const { body } = await send(
    csvOf([['Company', 'Employees', 'Country'], ...spelled.map((name, n) => [name, `${n + 1}`, 'Germany'])]),
  )
  const { created, updated, questions } = body.data
  assert.deepEqual([created, updated], [3, 1], 'only capitals are the same name')
  assert.deepEqual(
    questions.map(({ row, kind, message }: Record<string, unknown>) => [row, kind, message]),
    [
      [3, 'name', '"Möller Rohre" (row 2) is spelled differently.'],
      [4, 'name', '"Möller Rohre" (row 2) is spelled differently.'],
    ],
  )
  const named = (await api.call('GET', '/api/companies?search=rohre')).body.data
  assert.deepEqual(
    named.map(({ name, employee_count }: Record<string, unknown>) => [name, employee_count]).sort(),
    [
      ['Moller Rohre', 4],
      ['Moller-Rohre', 3],
      ['Möller Rohre', 1],
    ],
  )
  const site = await send(
    csvOf([
      ['Company', 'Website'],
      ['Kärcher Ventile', 'kaercher-ventile.example'],
      ['KARCHER, VENTILE', 'https://kaercher-ventile.example/de'],
    ]),
  )
  assert.deepEqual([site.body.data.created, site.body.data.questions], [1, []])
  const [{ name }] = (await api.call('GET', '/api/companies?search=ventile')).body.data
  assert.equal(name, 'Kärcher Ventile', 'the first spelling stays')
})

test('a custom field can identify companies, whatever their names', async () => {
  const rows = [
    ['Record ID', 'Company', 'City'],
    ['r1', 'Twin Labs', 'Rome'],
    ['r2', 'Twin Labs', 'Rome'],
  ]
  const query = new URLSearchParams({
    mapping: '{"custom.crm_id":{"column":"Record ID","type":"text"}}',
    identify_by: 'custom.crm_id',
  })
  assert.equal((await send(csvOf(rows), `?${query}`)).body.data.created, 2)
  const renamed = [rows[0] as string[], ['r2', 'Twin Laboratories', 'Rome'], ['r1', 'Twin Labs', 'Turin']]
  for (const [updated, unchanged] of [
    [2, 0],
    [0, 2],
  ]) {
    const { body } = await send(csvOf(renamed), `?${query}`)
    assert.deepEqual([body.data.created, body.data.updated, body.data.unchanged], [0, updated, unchanged])
  }
  const found = (await api.call('GET', '/api/companies?search=twin+lab')).body.data
  assert.deepEqual(
    found.map(({ name, hq_city, custom }: StoredValues) => [name, hq_city, custom?.crm_id]).sort(),
    [
      ['Twin Laboratories', 'Rome', 'r2'],
      ['Twin Labs', 'Turin', 'r1'],
    ],
  )
  const unmapped = await send(csvOf(rows), '?identify_by=custom.other')
  assert.equal(unmapped.status, 400)
  assert.match(unmapped.body.details, /^identify_by must be a custom field that a column is imported to/)
})

test('a row that looks like a footer can be imported', async () => {
  const file = csvOf([
    ['Company', 'City'],
    ['Plain Firm', 'Rome'],
    ['Confidential Computing', ''],
  ])
  const { left_out_rows } = (await send(file, '?dry_run=true')).body.data
  assert.deepEqual(
    left_out_rows.map(({ row, text }: Record<string, unknown>) => [row, text]),
    [[3, 'Confidential Computing']],
  )
  const repairs = encodeURIComponent('{"include":[3]}')
  const { created, left_out } = (await send(file, `?repairs=${repairs}`)).body.data
  assert.deepEqual([created, left_out], [2, 0])
})

const send = (payload: string, query = '') =>
  api.call('POST', `/api/companies/import${query}`, undefined, {
    payload,
    headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
  })
