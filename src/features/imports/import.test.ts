import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { sourceKey } from '#src/features/companies/files.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { slow } from '#src/testing/slow.ts'

const REAL = new URL('../../../../shared/data/companies-real.csv', import.meta.url)

let api: TestApp
const opened: TestApp[] = []
beforeEach(async () => {
  api = await testApp()
  opened.push(api)
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})

const send = (file: string | Buffer, query = '', to = api, as = 'ada@example.com'): Promise<Answer> =>
  to.call('POST', `/api/companies/import${query}`, undefined, {
    payload: file,
    headers: { 'content-type': 'text/csv', 'x-user-email': as },
  })

const counts = ({ body }: Answer) => {
  const { created, updated, unchanged, failed } = body.data
  return { created, updated, unchanged, failed }
}

const companies = async (query = '', of = api) =>
  (await of.call('GET', `/api/companies?limit=1000&sort=created_at${query}`)).body

test('common column names are recognized, and cells become fields', async () => {
  const file =
    'Organization Name,Website,Country,City,Industry,One Liner,Description,Status,Employees,Founded,Annual Revenue,Batch\n' +
    '"Müller, Söhne",mueller.example,Deutschland,Köln,Tools,Short,,Operating,11-50,2012-03-01,"€1.2m",W12\n' +
    'Acme,,USA,,,Pitch,"Long, and\nwith lines",Acquired,,,,\n'
  const answer = await send(file)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(counts(answer), { created: 2, updated: 0, unchanged: 0, failed: 0 })
  assert.deepEqual(answer.body.data.ignored_columns, ['Batch'])
  assert.deepEqual(answer.body.data.columns.activity_description, ['Description', 'One Liner'])
  const [mueller, acme] = (await companies()).data
  assert.equal(mueller.name, 'Müller, Söhne')
  assert.equal(mueller.website, 'https://mueller.example')
  assert.equal(mueller.country_code, 'DE')
  assert.equal(mueller.activity_description, 'Short')
  assert.equal(mueller.status, 'active')
  assert.equal(mueller.employee_count, 11)
  assert.equal(mueller.founded_year, 2012)
  assert.equal(mueller.revenue_eur, 1_200_000)
  assert.equal(acme.country_code, 'US')
  assert.equal(acme.activity_description, 'Long, and\nwith lines')
  assert.equal(acme.status, 'acquired')
  assert.equal(acme.website, null)
})

test('each company keeps its source row, and its activity is written', async () => {
  await send('Name;City;Note\nAcme;Wien;"x;y"\n')
  const [acme] = (await companies()).data
  const source = await api.context.objects.read(sourceKey(acme.id))
  assert.equal(source?.toString(), 'Name,City,Note\r\nAcme,Wien,x;y\r\n')
  const { data } = (await api.call('GET', '/api/activity')).body
  assert.deepEqual(
    data.map((record: { activity_type: string }) => record.activity_type),
    ['companies_imported', 'company_created'],
  )
  assert.deepEqual(data[0].metadata, {
    created: 1,
    updated: 0,
    unchanged: 0,
    trashed: 0,
    restored: 0,
    failed: 0,
    left_out: 0,
    conflicts: 0,
  })
  assert.equal(data[1].entity_id, acme.id)
  assert.equal(data[1].user_email, 'ada@example.com')
})

test('importing a file again creates no duplicates and updates changes', async () => {
  const file = 'name,website,country,city\nA,https://a.example,France,Lyon\nB,,Spain,\n'
  assert.deepEqual(counts(await send(file)), { created: 2, updated: 0, unchanged: 0, failed: 0 })
  assert.deepEqual(counts(await send(file)), { created: 0, updated: 0, unchanged: 2, failed: 0 })
  const changed = 'name,website,country,city\nA,http://www.a.example/en,France,\nB,,Spain,Vigo\n'
  assert.deepEqual(counts(await send(changed)), { created: 0, updated: 2, unchanged: 0, failed: 0 })
  const [a, b] = (await companies()).data
  assert.equal(a.hq_city, 'Lyon', 'a blank cell does not clear')
  assert.equal(b.hq_city, 'Vigo')
  const { recent_activity } = (await api.call('GET', `/api/companies/${b.id}`)).body.data
  assert.deepEqual(recent_activity[0].metadata.fields, ['hq_city'])
})

test('rows for the same company become one company, and a second import changes nothing', async () => {
  const file =
    'name,website,city\nA,https://a.example,Lyon\nA,https://a.example,Nice\nA,https://a.example,Nice\n'
  const { body } = await send(file)
  assert.deepEqual(counts({ body } as Answer), { created: 1, updated: 1, unchanged: 1, failed: 0 })
  assert.deepEqual(body.data.changes, [
    { row: 3, name: 'A', company_id: null, changes: { hq_city: { from: 'Lyon', to: 'Nice' } } },
  ])
  const [a] = (await companies()).data
  assert.equal(a.hq_city, 'Nice')
  const source = await api.context.objects.read(sourceKey(a.id))
  assert.equal(source?.toString().split('\r\n').length, 5, 'the source file has all of its rows')
  assert.deepEqual(counts(await send(file)), { created: 0, updated: 0, unchanged: 3, failed: 0 })
})

test('concurrent imports of the same file create each company once', async () => {
  const file = `name,website\n${Array.from({ length: 700 }, (_value, n) => `C${n},https://c${n}.example`).join('\n')}\n`
  const users = ['ada@example.com', 'bob@example.com', 'eve@example.com']
  const answers = await Promise.all(users.map((user) => send(file, '', api, user)))
  assert.equal(
    answers.reduce((sum, { body }) => sum + body.data.created, 0),
    700,
  )
  assert.equal((await companies()).pagination.total, 700)
})

test('a row without a name fails, and any other bad cell is left blank and reported', async () => {
  const file =
    'name,website,employees,status\n' +
    'Good,good.example,5,active\n' +
    ',nameless.example,5,active\n' +
    'Bad count,bad.example,many,active\n' +
    'Bad site,http://,1,active\n' +
    'Bad host,nonsense,1,active\n' +
    `${'x'.repeat(501)},long.example,1,active\n` +
    'Short row\n' +
    'Also good,also.example,7,!!!\n' +
    'Last,last.example,7,active\n'
  const answer = await send(file)
  const positions = (list: { row: number; column: string }[]) => list.map(({ row, column }) => [row, column])
  const { errors, bad_cells } = answer.body.data
  assert.deepEqual(counts(answer), { created: 6, updated: 0, unchanged: 0, failed: 3 })
  assert.deepEqual(positions(errors), [
    [3, 'name'],
    [7, 'name'],
    [8, null],
  ])
  assert.deepEqual(positions(bad_cells), [
    [4, 'employees'],
    [6, 'website'],
    [9, 'status'],
  ])
  for (const { message } of [...errors, ...bad_cells]) assert.match(message, /must be|required|cell/)
  const names = (await companies()).data.map((company: { name: string }) => company.name)
  assert.deepEqual(names, ['Good', 'Bad count', 'Bad site', 'Bad host', 'Also good', 'Last'])
})

test('all bad cells of a row are reported, and with bad_cells=fail the row fails', async () => {
  const file = 'name,website,employees,founded\nBad,nonsense,many,soon\nGood,good.example,5,2001\n'
  const failing = await send(file, '?bad_cells=fail')
  assert.deepEqual(counts(failing), { created: 1, updated: 0, unchanged: 0, failed: 1 })
  assert.deepEqual(
    failing.body.data.errors.map(({ row, column }: { row: number; column: string }) => [row, column]),
    [
      [2, 'website'],
      [2, 'employees'],
      [2, 'founded'],
    ],
  )
  const { body } = await send(file)
  assert.equal(body.data.bad_cells.length, 3)
  assert.deepEqual(
    (await companies()).data.map(({ founded_year }: { founded_year: number | null }) => founded_year),
    [2001, null],
  )
})

test('NUL in a cell is dropped, and a lone quote only fails its row', async () => {
  const answer = await send('name,city\nA\0,x\nB,"unclosed\nC,y\n')
  assert.deepEqual(counts(answer), { created: 2, updated: 0, unchanged: 0, failed: 1 })
  assert.deepEqual(
    (await companies()).data.map(({ name }: { name: string }) => name),
    ['A', 'C'],
  )
})

test('a dry run gives the same report and writes nothing', async () => {
  await send('name,website,city\nOld,https://old.example,Rome\n')
  const rows = Array.from({ length: 600 }, (_value, n) => `N${n},https://n${n}.example,`)
  const file = [
    'name,website,city',
    'Old,https://old.example,Bari',
    ...rows,
    'N0,https://n0.example,Pisa',
    rows[1],
    ',nameless.example,',
    ',,',
    '',
  ].join('\n')
  const dry = await send(file, '?dry_run=true')
  assert.equal(dry.body.data.dry_run, true)
  assert.equal((await companies()).pagination.total, 1)
  assert.equal((await companies()).data[0].hq_city, 'Rome')
  const real = await send(file)
  assert.deepEqual(counts(dry), counts(real))
  assert.deepEqual(counts(real), { created: 600, updated: 2, unchanged: 1, failed: 1 })
})

test('a mapping overrides recognized columns', async () => {
  const mapping = encodeURIComponent(JSON.stringify({ name: 'Firm', hq_city: 'Where' }))
  const answer = await send('Name,Firm,Where\nperson,Acme,Bonn\n', `?mapping=${mapping}`)
  assert.equal(answer.body.data.created, 1)
  const [acme] = (await companies()).data
  assert.equal(acme.name, 'Acme')
  assert.equal(acme.hq_city, 'Bonn')
  const refused: Record<string, RegExp> = {
    '{"name":"Nope"}': /mapping.name must be a column of the file, not "Nope". Columns: Name, Firm/,
    '{"nmae":"Firm"}': /mapping.nmae is not a known field/,
    '{"name":1}': /mapping.name must be the name of a column or null, not 1/,
    '{"name":[]}': /mapping.name must be the name of a column/,
    'name=Firm': /mapping must be a JSON object/,
  }
  for (const [text, message] of Object.entries(refused)) {
    const { status, body } = await send('Name,Firm\na,b\n', `?mapping=${encodeURIComponent(text)}`)
    assert.equal(status, 400, text)
    assert.match(body.details, message)
  }
})

test('a mapping to null skips a field', async () => {
  const mapping = encodeURIComponent('{"status":null,"hq_city":null}')
  const { body } = await send('Name,Status,City\nAcme,closed,Bonn\n', `?mapping=${mapping}`)
  assert.deepEqual(body.data.columns, { name: ['Name'] })
  assert.deepEqual(body.data.ignored_columns, ['Status', 'City'])
  const [acme] = (await companies()).data
  assert.equal(acme.status, 'active')
  assert.equal(acme.hq_city, null)
})

test('files that cannot be imported are rejected', async () => {
  for (const [file, message] of [
    ['', /must be the file|is empty/],
    ['\n\n', /is empty/],
    ['first,second\n4,5\n', /No column is recognized as the company's name. Columns: first, second/],
    ['1,2,3\n4,5,6\n', /No column is recognized as the company's name. Columns: Column 1, Column 2/],
  ] as const) {
    const { status, body } = await send(file)
    assert.equal(status, 400, file)
    assert.match(body.details, message)
  }
  assert.deepEqual(counts(await send('name,city\n')), { created: 0, updated: 0, unchanged: 0, failed: 0 })
})

test('if object storage rejects writes, the response is a 503 with the reason, and no company is created', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const nothing = async () => null
  const objects = {
    read: nothing,
    describe: nothing,
    open: nothing,
    write: () => Promise.reject(full),
    writeFile: () => Promise.reject(full),
    list: async function* () {},
    delete: async () => {},
  }
  const broken = await testApp({}, { objects })
  opened.push(broken)
  const { status, body } = await send('name\nA\n', '', broken)
  assert.equal(status, 503)
  assert.match(body.details, /object storage/)
  assert.equal((await companies('', broken)).pagination.total, 0)
})

test('an empty service imports an export unchanged', async () => {
  await api.call('POST', '/api/theses', { code: 'T1', title: 'T' })
  const thesis_id = (await api.call('GET', '/api/theses')).body.data[0].id
  const difficult = [
    {
      name: '=cmd|calc',
      activity_description: '+1',
      hq_city: "'@x",
      country: 'Nowhere, "quoted"',
      thesis_id,
    },
    {
      name: 'Two\nlines',
      financials: { '2024': { revenue_eur: 1.5 } },
      executives: [{ name: 'A;B,C' }, 'x'],
    },
    {
      name: 'Num',
      revenue_eur: 1e15,
      founded_year: 1900,
      employee_count: 0,
      llm_score_overall: 0,
      status: 'on_hold',
    },
    {
      name: 'n/a',
      hq_city: 'none',
      activity_description: 'MÃ¼ller \\xc3\\xbc',
      tags: ['Food, Drinks', '#one', 'a|b'],
    },
    { name: 'Acme Labs', website: 'https://acme.example', hq_city: 'Paris', status: 'closed' },
    { name: 'Acme Ventures', website: 'https://acme.example/ventures', hq_city: 'Lyon', founded_year: 2100 },
    { name: 'No code', country: 'Germany' },
    { name: 'No code', country: 'USA', website: 'http://intranet/' },
    { name: 'Tiny', revenue_eur: 1e-7, website: 'https://tiny.example/a?b=c#d', country_code: 'XK' },
  ]
  for (const company of difficult)
    assert.equal((await api.call('POST', '/api/companies', company)).status, 201)
  const exported = await api.call('GET', '/api/companies/export')
  assert.match(String(exported.headers['content-type']), /^text\/csv/)
  assert.match(String(exported.headers['content-disposition']), /companies\.csv/)
  assert.match(exported.body, /,'=cmd\|calc|'=cmd/)

  const empty = await testApp()
  opened.push(empty)
  await empty.call('POST', '/api/theses', { code: 'T1', title: 'T' })
  assert.deepEqual(counts(await send(exported.body, '', empty)), {
    created: 9,
    updated: 0,
    unchanged: 0,
    failed: 0,
  })
  assert.equal((await send(exported.body, '', empty)).body.data.unchanged, 9)
  assert.deepEqual(
    (await companies('', empty)).data.map(comparable),
    (await companies()).data.map(comparable),
  )
  assert.deepEqual(counts(await send(exported.body)), { created: 0, updated: 0, unchanged: 9, failed: 0 })
})

test('rows with a key too long for an index are imported', async () => {
  const long = Array.from({ length: 250 }, (_value, n) => String.fromCodePoint(0x20000 + n * 37)).join('')
  const country = Array.from(long).slice(0, 100).join('')
  const answer = await send(`name,country\nA,Spain\n${long},${country}\nB,Spain\n`)
  assert.deepEqual(counts(answer), { created: 3, updated: 0, unchanged: 0, failed: 0 })
  assert.equal((await api.call('POST', '/api/companies', { name: long, country })).status, 201)
  const website = `https://${'ü'.repeat(900)}.example`
  assert.ok([201, 400].includes((await api.call('POST', '/api/companies', { name: 'x', website })).status))
})

test('the unit of amounts may be stated above the table, and a choice overrides it', async () => {
  const file =
    'Deals of the quarter,,\nAll figures in EUR thousands,,\nCompany,Revenue,Employees\nAcme,214.750,12\nBolt,9.5,7\n'
  const { body } = await send(file, '?dry_run=true')
  const stored = (answer: Answer) =>
    answer.body.data.preview.map(({ company }: { company: Record<string, unknown> }) => [
      company.revenue_eur,
      company.employee_count,
    ])
  assert.deepEqual(stored({ body } as Answer), [
    [214_750, 12],
    [9500, 7],
  ])
  assert.equal(
    body.data.formats.find(({ field }: { field: string }) => field === 'revenue_eur').unit,
    'thousand',
  )
  const formats = encodeURIComponent('{"Revenue":{"unit":"million"}}')
  assert.deepEqual(stored(await send(file, `?dry_run=true&formats=${formats}`))[1], [9_500_000, 7])
})

test('the sample of the documentation shows questions, blank cells, and rows that are left out', async () => {
  const sample = readFileSync(new URL('../../../docs/samples/conference-list.csv', import.meta.url))
  const { created, failed, questions, bad_cells, left_out_rows } = (await send(sample, '?dry_run=true')).body
    .data
  assert.deepEqual([created, failed], [7, 0])
  assert.deepEqual(
    questions.map(({ row, kind }: { row: number; kind: string }) => [row, kind]),
    [
      [7, 'website'],
      [10, 'name'],
    ],
  )
  assert.deepEqual(
    bad_cells.map(({ row, column }: { row: number; column: string }) => `${column} ${row}`).sort(),
    ['Employees 6', 'Revenue 11', 'Revenue 8', 'Website 11'],
  )
  assert.deepEqual(
    left_out_rows.map(({ row }: { row: number }) => row),
    [1, 2, 12, 13],
  )
})

test('oversized headers are rejected', async () => {
  for (const header of [
    `name${'!'.repeat(900_000)}`,
    `name,${'x'.repeat(900)}`,
    `name${',x'.repeat(2000)}`,
  ]) {
    const { status, body } = await send(`${header}\nA\n`)
    assert.equal(status, 400)
    assert.match(body.details, /up to 200 characters|longer than 256 KB/)
  }
})

test('exports support the filters of the list', async () => {
  await send('name,country\nA,Spain\nB,Italy\n')
  const { body } = await api.call('GET', '/api/companies/export?country_code=it')
  assert.match(body, /B,/)
  assert.doesNotMatch(body, /,A,/)
  assert.equal((await api.call('GET', '/api/companies/export?limit=1')).status, 400)
})

/** A company without the fields that differ between services. */
function comparable({ updated_at, thesis_id, ...company }: Record<string, unknown>) {
  return { ...company, hasThesis: thesis_id !== null }
}

describe('real companies', {
  skip: existsSync(REAL) ? false : 'the file of real companies is missing',
}, () => {
  test('every row is reported, search finds the companies, and an export moves them', {
    skip: slow,
  }, async () => {
    const file = readFileSync(REAL)
    const first = await send(file)
    assert.deepEqual(counts(first), { created: 2319, updated: 0, unchanged: 0, failed: 0 })
    const found = await api.call('GET', '/api/companies?search=small-batch%20electronics')
    assert.deepEqual(
      found.body.data.map((company: { name: string }) => company.name),
      ['CircuitHub'],
    )
    assert.deepEqual(counts(await send(file)), { created: 0, updated: 0, unchanged: 2319, failed: 0 })

    const exported = (await api.call('GET', '/api/companies/export')).body
    const empty = await testApp()
    opened.push(empty)
    assert.deepEqual(counts(await send(exported, '', empty)), {
      created: 2319,
      updated: 0,
      unchanged: 0,
      failed: 0,
    })
    const again = (await empty.call('GET', '/api/companies/export')).body
    const withoutIdsAndTimes = (csv: string) => csv.replace(/cmp_[0-9a-z]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    assert.equal(withoutIdsAndTimes(again), withoutIdsAndTimes(exported))
  })
})
