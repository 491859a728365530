import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { RecordImportsUnderTest } from '../people/people-import.fixture.ts'

let api: TestApp
let imports: RecordImportsUnderTest
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  imports = new RecordImportsUnderTest(api, '/api/dealflow/import')
  const headers = { 'x-user-email': 'ada@example.com' }
  await api.call('GET', '/api/users/ada@example.com', undefined, { headers })
})
after(() => api.close())
beforeEach(async () => {
  for (const { id } of (await api.call('GET', '/api/companies?limit=1000')).body.data)
    await api.call('DELETE', `/api/companies/${id}`)
  for (const { id } of (await api.call('GET', '/api/trash?limit=1000')).body.data)
    await api.call('DELETE', `/api/trash/${id}`)
})

const CREATE = { create_companies: 'true' }

const create = async (path: string, fields: object): Promise<string> =>
  (await api.call('POST', path, fields)).body.data.id

interface ShownDeal extends Record<string, unknown> {
  id: string
  company_name: string
  custom: Record<string, unknown>
}

const deals = async (): Promise<ShownDeal[]> =>
  (await api.call('GET', '/api/dealflow?limit=1000&sort=created_at')).body.data

/** Some fields of the only deal of a company. */
const dealOf = async (name: string, ...fields: string[]) => {
  const found = (await deals()).filter(({ company_name }) => company_name === name)
  assert.equal(found.length, 1, `${name} has ${found.length} deals`)
  return Object.fromEntries(fields.map((field) => [field, found[0]?.[field]]))
}

test('exports of HubSpot, Affinity, Attio, and Airtable become deals', async () => {
  const hubspot = await imports.import(
    'Record ID,Deal Name,Deal Stage,Close Date,Deal owner,Amount,Currency,Deal probability,Associated Company,Closed Lost Reason,Pipeline,Create Date\n' +
      '9001,Nordlys - Series A,Appointment Scheduled,2027-06-30 14:22,ada@example.com,1500000,EUR,0.2,Nordlys,,Sales Pipeline,2026-01-05 09:00\n' +
      '9002,Basalt,Closed lost,2026-02-01 10:00,Ada,250000,EUR,0,Basalt,Too early,Sales Pipeline,2026-01-06 09:00\n' +
      '9003,Basalt again,closedwon,2026-02-02 10:00,,"1,000.50",,1,Basalt,,Sales Pipeline,2026-01-06 09:00\n',
    { ...CREATE, stages: '{"appointment scheduled": "meeting"}' },
  )
  assert.deepEqual([hubspot.file.holds.type, hubspot.file.holds.source], ['deal', 'HubSpot'])
  assert.deepEqual([hubspot.created, hubspot.companies.created], [3, 2], JSON.stringify(hubspot.errors))
  assert.deepEqual(hubspot.ignored_columns, ['Pipeline', 'Create Date'])
  assert.deepEqual(hubspot.stages, [
    { value: 'Appointment Scheduled', rows: 1, stage: 'meeting', suggestion: 'meeting' },
  ])
  assert.deepEqual(
    await dealOf(
      'Nordlys',
      'stage',
      'status',
      'amount_eur',
      'probability',
      'expected_close_on',
      'owner_email',
    ),
    {
      ...{ stage: 'meeting', status: 'active', amount_eur: 1_500_000, probability: 20 },
      ...{ expected_close_on: '2027-06-30', owner_email: 'ada@example.com' },
    },
  )
  const basalt = (await deals()).filter(({ company_name }) => company_name === 'Basalt')
  assert.deepEqual(
    basalt.map(({ stage, status, amount_eur, probability, lost_reason }) => [
      ...[stage, status, amount_eur, probability, lost_reason],
    ]),
    [
      ['closed_lost', 'lost', 250_000, 0, 'Too early'],
      ['closed_won', 'won', 1000.5, 100, null],
    ],
  )
  assert.match(JSON.stringify(hubspot.warnings), /The name only tells the deals of a company apart/)

  const affinity = await imports.import(
    'Affinity Row ID,Organization Id,Name,Website,Status,Owners,Amount,Source of Introduction,Notes,Date Added\n' +
      '71,501,Fjord AI,fjord.example,1. Due Diligence,Ada <ada@example.com>,€1.5M,Inbound,"<p>Met at <b>Slush</b></p>",2026-03-01\n' +
      '72,502,Lumen,https://lumen.example,Passed,Jane Former,500k,Ben from Acme,,2026-03-02\n',
    CREATE,
  )
  assert.deepEqual([affinity.file.holds.source, affinity.created], ['Affinity', 2])
  assert.deepEqual(affinity.columns.stage, ['Status'])
  assert.deepEqual(affinity.stages, [
    { value: 'Passed', rows: 1, stage: 'passed', suggestion: 'closed_lost' },
  ])
  assert.deepEqual(
    affinity.bad_cells.map(({ column, value }) => [column, value]),
    [['Owners', 'Jane Former']],
  )
  assert.deepEqual(
    await dealOf('Fjord AI', 'stage', 'amount_eur', 'source', 'source_type', 'source_id', 'notes'),
    {
      ...{ stage: 'due_diligence', amount_eur: 1_500_000, source: 'Inbound' },
      ...{ source_type: 'channel', source_id: 'inbound', notes: 'Met at **Slush**' },
    },
  )
  assert.deepEqual(await dealOf('Lumen', 'stage', 'amount_eur', 'source', 'source_type'), {
    ...{ stage: 'passed', amount_eur: 500_000, source: 'Ben from Acme', source_type: null },
  })

  const attio = await imports.import(
    'Record ID,Deal name,Deal stage,Deal owner,Deal value,Associated company,Associated people\n' +
      'a-1,Quartz seed,Term Sheet,ada@example.com,"2.000.000,00 €",Quartz,Ingrid\n',
    CREATE,
  )
  assert.deepEqual([attio.file.holds.source, attio.ignored_columns], ['Attio', ['Associated people']])
  assert.deepEqual(await dealOf('Quartz', 'stage', 'amount_eur'), {
    stage: 'term_sheet',
    amount_eur: 2_000_000,
  })

  const airtable = await imports.import(
    'Name,Stage,Ticket (EUR k),Round,Valuation (EUR m),Ownership,Probability,Lead,Expected close,Status\n' +
      'Onyx,Meeting,250,Seed,4.5,12.5%,40%,Ada <ada@example.com>,30/06/2027,On hold\n',
    CREATE,
  )
  assert.deepEqual([airtable.file.holds.type, airtable.file.holds.source], ['deal', null])
  assert.deepEqual(
    await dealOf(
      'Onyx',
      'amount_eur',
      'round',
      'valuation_eur',
      'ownership_percent',
      'probability',
      'status',
    ),
    {
      ...{ amount_eur: 250_000, round: 'Seed', valuation_eur: 4_500_000, ownership_percent: 12.5 },
      ...{ probability: 40, status: 'on_hold' },
    },
  )
})

test('only euros are euros: other currencies are left blank and told, or converted with a rate', async () => {
  const file =
    'Company,Stage,Amount,Currency,Close date\nA,Meeting,1000,USD,\nB,Meeting,2000,EUR,\nC,Meeting,£300,EUR,\nD,Meeting,400,,\nE,Meeting,500,credits,\n'
  const report = await imports.report(file, { ...CREATE, dry_run: 'true' })
  assert.deepEqual(
    report.bad_cells.map(({ name, value, message }) => [name, value, message.split('.')[0]]),
    [
      ['A', '1000', 'amount_eur: the amount is in USD'],
      ['C', '£300', 'amount_eur: the amount is in GBP'],
      ['E', '500', 'amount_eur: the currency of the row must be a code of ISO 4217, such as EUR or USD'],
    ],
  )
  const [format] = report.formats
  assert.deepEqual([format?.currencies.toSorted(), format?.question], [['GBP', 'USD'], 'currency'])
  await imports.import(file, {
    ...CREATE,
    formats: '{"Amount": {"rates": {"USD": 0.5, "GBP": 2}}}',
  })
  assert.deepEqual((await deals()).map(({ company_name, amount_eur }) => [company_name, amount_eur]).sort(), [
    ['A', 500],
    ['B', 2000],
    ['C', 600],
    ['D', 400],
    ['E', null],
  ])
  const dollars = await imports.report(
    'Company,Stage,Amount,Currency\nA,Meeting,1000,USD\nB,Meeting,2000,USD\n',
    {
      dry_run: 'true',
    },
  )
  assert.equal(dollars.bad_cells.length, 2)
})

test('unknown companies fail with a reason unless they are created, and one undo removes everything', async () => {
  const file =
    'Company,Website,Stage,Amount\nNew Co,new.example,Meeting,1\n,,Meeting,2\nNew Co,,Passed,3\nNew Co,,Passed,3\n'
  const refused = await imports.report(file)
  assert.deepEqual([refused.created, refused.failed, refused.action_id], [0, 4, null])
  assert.match(
    JSON.stringify(refused.errors),
    /No company has this name or website. The row was not imported./,
  )
  assert.match(JSON.stringify(refused.errors), /company is required/)
  assert.deepEqual(
    refused.companies.unknown.map(({ name, reason }) => [name, reason]),
    [
      ['New Co', 'unknown'],
      ['New Co', 'unknown'],
    ],
  )
  const report = await imports.import(file, CREATE)
  assert.deepEqual([report.created, report.failed, report.companies.created], [2, 1, 1])
  assert.equal(report.left_out_rows[0]?.reason, 'The row repeats an earlier one.')
  assert.deepEqual(
    (await deals()).map(({ amount_eur }) => amount_eur),
    [1, 3],
  )
  const { body } = await api.call('GET', '/api/activity?activity_type=deals_imported&limit=1')
  assert.equal(body.data[0].metadata.created, 2)
  const undo = await api.call('POST', `/api/actions/${report.action_id}/undo`)
  assert.deepEqual([undo.status, undo.body.data.skipped], [200, []])
  assert.deepEqual(await deals(), [])
  assert.equal((await api.call('GET', '/api/companies')).body.pagination.total, 0)
})

test('a row is the deal with its id in the other tool, or else the open deal of its company with the same round', async () => {
  const company_id = await create('/api/companies', { name: 'Twice', website: 'https://twice.example' })
  const own = await create('/api/dealflow', {
    company_id,
    stage: 'initial',
    notes: 'Mine',
    owner_email: null,
  })
  await create('/api/dealflow', { company_id, stage: 'closed_lost', status: 'lost', round: 'Seed' })
  const header = 'Deal ID,Company,Stage,Round,Amount\n'
  const first = await imports.import(`${header}1,Twice,Meeting,Seed,100\n2,twice,Meeting,Series A,200\n`)
  assert.deepEqual([first.created, first.updated], [1, 1])
  assert.deepEqual(first.changes[0]?.changes, {
    stage: { from: 'initial', to: 'meeting' },
    round: { from: null, to: 'Seed' },
    amount_eur: { from: null, to: 100 },
  })
  // The deal is found by its id, whatever has changed here.
  await api.call('PATCH', `/api/dealflow/${own}`, { round: 'Pre-seed', status: 'lost' })
  const again = await imports.report(`${header}1,Twice,Meeting,Seed,150\n`, { on_existing: 'fill' })
  assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 1])
  const left = await imports.report(`${header}1,Twice,Meeting,Seed,150\n`, { on_existing: 'skip' })
  assert.deepEqual([left.left_out, left.left_out_rows[0]?.reason], [1, 'The deal exists already.'])
  assert.equal((await deals()).length, 3)
  await api.call('DELETE', `/api/dealflow/${own}`)
  assert.equal((await imports.report(`${header}1,Twice,Meeting,Seed,150\n`)).trashed, 1)
  const restored = await imports.report(`${header}1,Twice,Meeting,Seed,150\n`, { on_trashed: 'restore' })
  assert.deepEqual([restored.restored, restored.updated], [1, 1])
  const deal = (await api.call('GET', `/api/dealflow/${own}`)).body.data
  assert.deepEqual([deal.round, deal.amount_eur, deal.notes], ['Seed', 150, 'Mine'])
  // Without its company, a deal cannot come back.
  const row = 'Record ID,Deal Name,Deal Stage,Associated Company\n5,Five,Meeting,Twice\n'
  await imports.import(row)
  await api.call('DELETE', `/api/companies/${company_id}`)
  for (const dry_run of ['true', 'false']) {
    const gone = await imports.report(row, { on_trashed: 'restore', dry_run })
    assert.deepEqual([gone.failed, gone.restored, gone.created], [1, 0, 0], dry_run)
    assert.match(JSON.stringify(gone.errors), /The company of the deal is in the trash/)
  }
})

test('more rows of one company than a batch has are as many deals, and found again', async () => {
  const rows = Array.from({ length: 1100 }, (_value, n) => `Many,Meeting,${n}`)
  const report = await imports.import(`Company,Stage,Amount\n${rows.join('\n')}\n`, CREATE)
  assert.deepEqual([report.created, report.companies.created], [1100, 1])
})

test('an export is imported without a change, and its custom fields, formulas, and filters are right', async () => {
  const field = { entity: 'deal', key: 'fund', label: 'Fund', type: 'select', options: [{ label: 'I' }] }
  const { options } = (await api.call('POST', '/api/fields', field)).body.data
  const company_id = await create('/api/companies', { name: 'Same', website: 'https://same.example' })
  const twin = await create('/api/companies', { name: 'Same' })
  const brought = await create('/api/people', { name: 'Ingrid' })
  await create('/api/dealflow', {
    ...{ company_id, stage: 'odd_stage', status: 'on_hold', probability: 1, ownership_percent: 0.5 },
    ...{ amount_eur: 1234.5, round: 'N/A', source: '=cmd', source_type: 'person', source_id: brought },
    ...{ notes: '<b>kept</b>\n-1', expected_close_on: '2027-02-28', custom: { fund: options[0].id } },
  })
  await create('/api/dealflow', { company_id: twin, stage: 'meeting' })
  const before = await deals()
  const { body: csv, headers } = await api.call('GET', '/api/dealflow/export?sort=-stage&bom=true')
  assert.match(String(headers['content-disposition']), /deals\.csv/)
  assert.match(csv, /^\ufeffid,company_id,company_name,company_website,stage,/)
  assert.match(csv, /'=cmd/)
  const report = await imports.report(csv)
  assert.deepEqual([report.file.holds.source, report.unchanged, report.action_id], ['export', 2, null])
  assert.deepEqual([report.bad_cells, report.warnings], [[], []])
  assert.deepEqual(report.ignored_columns, [
    ...['source_name', 'next_step', 'next_step_on', 'stage_entered_at', 'created_at', 'updated_at'],
  ])
  assert.deepEqual(await deals(), before)
  const filtered = (await api.call('GET', '/api/dealflow/export?stage=meeting')).body
  assert.deepEqual(
    filtered
      .trim()
      .split('\r\n')
      .map((line: string) => line.split(',')[0]),
    ['id', before[1]?.id],
  )
  assert.equal((await api.call('GET', '/api/dealflow/export?sort=nothing')).status, 400)
  await api.call('DELETE', `/api/dealflow/${before[0]?.id}`)
  for (const { id } of (await api.call('GET', '/api/trash')).body.data)
    await api.call('DELETE', `/api/trash/${id}`)
  await imports.report(csv)
  const timeless = ({ updated_at: _u, stage_entered_at: _s, ...deal }: ShownDeal) => deal
  assert.deepEqual((await deals()).map(timeless), before.map(timeless))
})

test('bad cells and bad settings are named, and nothing is lost in silence', async () => {
  const company = await create('/api/companies', { name: 'Bad' })
  const report = await imports.report(
    'Company,Stage,Amount,Ownership,Probability,Round,Close date,Owner,Status,Extra\n' +
      `Bad; Other,Встреча,-5,120,41.7,${'x'.repeat(101)},soon,nobody@example.com,!!,kept\n`,
    { dry_run: 'true' },
  )
  assert.deepEqual(report.bad_cells.map(({ column }) => column).sort(), [
    ...['Amount', 'Close date', 'Owner', 'Ownership', 'Round', 'Stage', 'Status'],
  ])
  assert.match(JSON.stringify(report.warnings), /A deal has one company.*probability is a whole number/s)
  assert.deepEqual(report.ignored_columns, ['Extra'])
  const strict = await imports.report('Company,Stage,Amount\nBad,Meeting,-5\n', { bad_cells: 'fail' })
  assert.deepEqual([strict.failed, strict.created], [1, 0])
  for (const [stages, message] of [
    ['[]', /stages must be a JSON object, such as \{"Intro call": "meeting"\}/],
    ['{"A": "No!"}', /stages\.A must be a word of lowercase letters/],
    ['{"A": 1}', /stages\.A/],
  ] as const) {
    const { status, body } = await imports.send('Company,Stage\nBad,A\n', { stages })
    assert.equal(status, 400, stages)
    assert.match(body.details, message)
  }
  const unused = await imports.report('Company,Stage\nBad,Meeting\n', {
    dry_run: 'true',
    stages: '{"Q": "Due Diligence"}',
  })
  assert.deepEqual(unused.stages, [{ value: 'Q', rows: 0, stage: 'due_diligence', suggestion: null }])
  const missing = await imports.send('Stage,Amount\nMeeting,1\n')
  assert.equal(missing.status, 400)
  assert.match(missing.body.details, /the name or the website of the deal's company/)
  assert.ok(company)
})
