import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { type ImportSettings, ImportsUnderTest, type StoredValues } from './imports.fixture.ts'

let api: TestApp
let imports: ImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new ImportsUnderTest(api)
})
after(() => api.close())

let files = 0

/** Imports a column, and returns what is stored of each of its cells. */
async function stored<Field extends keyof StoredValues>(
  header: string,
  field: Field,
  cells: readonly string[],
  settings: ImportSettings = {},
) {
  files += 1
  const rows = cells.map((cell, index) => [`List ${files} ${index}`, cell])
  const { values, report } = await imports.fieldOf(field, [['Company', header], ...rows], settings)
  return { values: Object.values(values), report }
}

const LISTS: Readonly<Record<string, string[]>> = {
  '["Deep Tech","Climate"]': ['Deep Tech', 'Climate'],
  "['Deep Tech', 'Climate']": ['Deep Tech', 'Climate'],
  "[u'Deep Tech', None]": ['Deep Tech'],
  '{"Deep Tech",Climate}': ['Deep Tech', 'Climate'],
  'Deep Tech|Climate': ['Deep Tech', 'Climate'],
  'Deep Tech; Climate;': ['Deep Tech', 'Climate'],
  'Deep Tech;#Climate': ['Deep Tech', 'Climate'],
  'Deep Tech\nClimate': ['Deep Tech', 'Climate'],
  'Deep Tech, Climate': ['Deep Tech', 'Climate'],
  '"Oil, Gas",Climate': ['Oil, Gas', 'Climate'],
  'Oil, Gas; Climate': ['Oil, Gas', 'Climate'],
  '["Oil, Gas"]': ['Oil, Gas'],
  'Climate, climate, CLIMATE': ['Climate'],
  'Consumer Electronics|Electronics|Internet|Health Care Information Technology|Venture Capital': [
    'Consumer Electronics',
    'Electronics',
    'Internet',
    'Health Care Information Technology',
    'Venture Capital',
  ],
  Climate: ['Climate'],
  '[]': [],
  'N/A': [],
}

test('lists of all kinds are read alike as tags, without a separator in a tag', async () => {
  const cells = Object.keys(LISTS).filter((cell) => !/Oil/.test(cell))
  const { values, report } = await stored('Tags', 'tags', cells)
  assert.deepEqual(
    values.map((tags) => tags.toSorted()),
    cells.map((cell) => LISTS[cell]?.toSorted()),
  )
  assert.deepEqual(report.bad_cells, [])
})

test('a quoted tag with a comma is one tag', async () => {
  const cells = [
    '"Oil, Gas",Climate',
    '["Oil, Gas","Climate"]',
    'Oil, Gas; Climate',
    "['Oil, Gas', 'Climate']",
  ]
  const { values } = await stored('Tags', 'tags', cells)
  for (const tags of values) {
    assert.equal(tags.length, 2, JSON.stringify(tags))
    assert.ok(tags.includes('Climate'))
    assert.match(tags.join('; '), /Oil.*Gas/)
  }
})

test('a multi-select field reads the same lists', async () => {
  const cells = Object.keys(LISTS)
  const { values } = await stored('Themes', 'custom', cells, {
    mapping: { 'custom.themes': { column: 'Themes', type: 'multi_select' } },
  })
  const answer = await api.call('GET', '/api/fields?limit=1000')
  const field = answer.body.data.find(({ key }: { key: string }) => key === 'themes')
  const labels = new Map<string, string>(field.options.map(({ id, label }: never) => [id, label]))
  const read = values.map(({ themes }) => ((themes ?? []) as string[]).map((id) => labels.get(id) ?? id))
  assert.deepEqual(
    read.map((themes) => themes.toSorted()),
    cells.map((cell) => LISTS[cell]?.toSorted()),
  )
})

test('a tag that is too long costs that tag, and the others stay', async () => {
  const { values, report } = await stored('Tags', 'tags', [`Climate|${'long '.repeat(60)}|Water`])
  assert.deepEqual(values, [['Climate', 'Water']])
  assert.equal(report.bad_cells.length + report.warnings.length > 0, true)
})

const ADDRESSES: Readonly<Record<string, string | null>> = {
  'https://a1.example': 'https://a1.example',
  'a2.example': 'https://a2.example',
  'www.a3.example/path?x=1': 'https://www.a3.example/path?x=1',
  'a4.example, other-a4.example': 'https://a4.example',
  'https://a5.example; https://b5.example': 'https://a5.example',
  '[a6](https://a6.example/en)': 'https://a6.example/en',
  '[a7.example](https://a7.example)': 'https://a7.example',
  'http//a8.example': 'http://a8.example',
  'https;//a9.example': 'https://a9.example',
  'https:/a10.example': 'https://a10.example',
  'http:\\\\a11.example': 'http://a11.example',
  'https://https://a12.example': 'https://a12.example',
  'http://https://a13.example/x': 'https://a13.example/x',
  '//a14.example/about': 'https://a14.example/about',
  '=HYPERLINK("https://a15.example"; "a15")': 'https://a15.example',
  '=HYPERLINK("https://a16.example","a16")': 'https://a16.example',
  'www.a17.example/ (old: a17-old.example)': 'https://www.a17.example/',
  '<a href="https://a18.example">Site</a>': 'https://a18.example',
  'a19.example.': 'https://a19.example',
  ' a20.example ': 'https://a20.example',
  'ceo@a21.example': null,
  'mailto:ceo@a22.example': null,
  'Coming soon': null,
  'in stealth': null,
  'javascript:alert(1)': null,
  'a26,example': null,
  'https://': null,
  'https://user:secret@a28.example': null,
}

test('one usable web address is taken from what surrounds it, and an unusable one costs the cell', async () => {
  const { values, report } = await stored('Website', 'website', Object.keys(ADDRESSES))
  assert.deepEqual(
    Object.fromEntries(Object.keys(ADDRESSES).map((cell, index) => [cell, values[index]])),
    ADDRESSES,
  )
  const bad = report.bad_cells.map(({ value }) => value)
  for (const cell of ['ceo@a21.example', 'Coming soon', 'a26,example', 'javascript:alert(1)'])
    assert.ok(bad.includes(cell), `${cell}: ${bad}`)
})

test('an international domain and its xn-- form are one company', async () => {
  const file =
    'Company,Website\nBuecher Shop,https://bücher-h5.example\nBuecher Shop,https://xn--bcher-h5-65a.example\n'
  const ascii = new URL('https://bücher-h5.example').href.slice(0, -1)
  const report = await imports.import(file.replace('https://xn--bcher-h5-65a.example', ascii))
  assert.deepEqual([report.created, report.conflicts], [1, 0])
  const other = await imports.report(`Company,Website,City\nBuecher Shop,${ascii},Bonn\n`)
  assert.deepEqual([other.created, other.updated], [0, 1])
})

test('owners are found by address and name, and an unknown one costs the owner', async () => {
  const headers = (email: string) => ({ headers: { 'x-user-email': email } })
  for (const email of ['grace.hopper@example.com', 'alan.turing@example.com', 'alan.turing@other.example'])
    await api.call('GET', `/api/users/${email}`, undefined, headers(email))
  const owners: Record<string, string | null> = {
    'grace.hopper@example.com': 'grace.hopper@example.com',
    'GRACE.HOPPER@EXAMPLE.COM': 'grace.hopper@example.com',
    'Grace Hopper': 'grace.hopper@example.com',
    'grace hopper': 'grace.hopper@example.com',
    'Hopper, Grace': 'grace.hopper@example.com',
    'Grace Hopper <grace.hopper@example.com>': 'grace.hopper@example.com',
    '"Hopper, Grace" <grace.hopper@example.com>': 'grace.hopper@example.com',
    '[grace](mailto:grace.hopper@example.com)': 'grace.hopper@example.com',
    'Alan Turing': null,
    'left.the.firm@example.com': null,
    'Barbara Liskov': null,
    'Barbara Liskov (Deactivated User)': null,
    Unassigned: null,
    'No owner': null,
    '': null,
  }
  const { values, report } = await stored('Owner', 'owner_email', Object.keys(owners))
  assert.deepEqual(
    Object.fromEntries(Object.keys(owners).map((cell, index) => [cell, values[index]])),
    owners,
  )
  const bad = report.bad_cells.map(({ value }) => value)
  for (const cell of ['Alan Turing', 'left.the.firm@example.com', 'Barbara Liskov'])
    assert.ok(bad.includes(cell), cell)
  const several = await stored('Owner', 'owner_email', ['grace.hopper@example.com; ada@example.com'])
  assert.equal(several.report.warnings.length, 1)
  assert.ok([null, 'grace.hopper@example.com'].includes(several.values[0] ?? null))
})

test('people with a comma in their name are told apart', async () => {
  const file =
    'Company,Founders\nPeople A,"Roe, Jane; Doe, John"\nPeople B,"Jane Roe, John Doe"\nPeople C,Jane Roe\n'
  const { created } = await imports.import(file)
  assert.equal(created, 3)
  const people = async (name: string) =>
    (await imports.company(name)).executives?.map((person) => person.name)
  assert.deepEqual(await people('People A'), ['Roe, Jane', 'Doe, John'])
  assert.deepEqual(await people('People B'), ['Jane Roe', 'John Doe'])
  assert.deepEqual(await people('People C'), ['Jane Roe'])
})

test('several columns are mapped to one field: the first value counts, and lists are joined', async () => {
  const file =
    'Company,Site A,Site B,Sector,Theme,City\n' +
    'Many A,,many-a.example,Robots,Ports,Bari\nMany B,many-b.example,other.example,,Food,Bari\n'
  const report = await imports.import(file, {
    mapping: { website: ['Site A', 'Site B'], tags: ['Sector', 'Theme'] },
  })
  assert.deepEqual(report.columns.website, ['Site A', 'Site B'])
  const [a, b] = [await imports.company('Many A'), await imports.company('Many B')]
  assert.deepEqual([a.website, b.website], ['https://many-a.example', 'https://many-b.example'])
  assert.deepEqual([a.tags.toSorted(), b.tags], [['Ports', 'Robots'], ['Food']])
})
