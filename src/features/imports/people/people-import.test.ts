import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { RecordImportsUnderTest } from './people-import.fixture.ts'

let api: TestApp
let imports: RecordImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new RecordImportsUnderTest(api, '/api/people/import')
  const headers = { 'x-user-email': 'ada@example.com' }
  await api.call('GET', '/api/users/ada@example.com', undefined, { headers })
})
after(() => api.close())
beforeEach(async () => {
  for (const path of ['/api/people', '/api/companies'])
    for (const { id } of (await api.call('GET', `${path}?limit=1000`)).body.data)
      await api.call('DELETE', `${path}/${id}`)
  for (const { id } of (await api.call('GET', '/api/trash?limit=1000')).body.data)
    await api.call('DELETE', `/api/trash/${id}`)
})

const CREATE = { create_companies: 'true' }

const company = async (fields: object): Promise<string> =>
  (await api.call('POST', '/api/companies', fields)).body.data.id

test('exports of other tools are recognized, and their cells become people with companies', async () => {
  for (const { source, file, expected, ignored } of [
    {
      source: 'LinkedIn',
      file:
        'Notes:\n"When exporting your connection data, you may notice that some addresses are missing."\n\n' +
        'First Name,Last Name,URL,Email Address,Company,Position,Connected On\n' +
        'Lin,"Sørensen, CFA",https://www.linkedin.com/in/lin-sorensen,,Fjord AI,"Partner, Seed",04 Mar 2025\n',
      expected: {
        name: 'Lin Sørensen, CFA',
        links: ['https://www.linkedin.com/in/lin-sorensen'],
        companies: ['Fjord AI: Partner, Seed'],
      },
      ignored: ['Connected On'],
    },
    {
      source: 'HubSpot',
      file:
        'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Job Title,Associated Company,City,Country/Region\n' +
        '51,Hub,Person,Hub@Spot.example,(030) 901820,Ada <ada@example.com>,CTO,Spot GmbH,Berlin,Germany\n',
      expected: {
        name: 'Hub Person',
        emails: ['hub@spot.example'],
        phones: ['+4930901820'],
        owner_email: 'ada@example.com',
        location: 'Berlin, Germany',
        companies: ['Spot GmbH: CTO'],
      },
      ignored: ['Record ID'],
    },
    {
      source: 'Affinity',
      file:
        'Person ID,First Name,Last Name,Primary Email,Emails,Organizations,Job Titles,LinkedIn URL\n' +
        '7,Affi,Nity,affi@one.example,affi@one.example; affi@two.example,Affi One; Affi Two,CEO; Advisor,linkedin.com/in/affi\n',
      expected: {
        name: 'Affi Nity',
        emails: ['affi@one.example', 'affi@two.example'],
        links: ['https://linkedin.com/in/affi'],
        companies: ['Affi One: CEO', 'Affi Two: Advisor'],
      },
      ignored: ['Person ID'],
    },
    {
      source: 'Attio',
      file:
        'Record ID,Record > Name,Record > Email addresses,Record > Company,Record > Job title,Record > LinkedIn,Record > Description\n' +
        'a1-b2,Atti Owen,"atti@attio.example, owen@attio.example",Attio Example,COO,https://linkedin.com/in/atti,Builds things\n',
      expected: {
        name: 'Atti Owen',
        emails: ['atti@attio.example', 'owen@attio.example'],
        headline: 'Builds things',
        companies: ['Attio Example: COO'],
      },
      ignored: ['Record ID'],
    },
    {
      source: 'Google Contacts',
      file:
        'First Name,Middle Name,Last Name,Name Prefix,Organization Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Website 1 - Value\n' +
        'Goo,G.,Gle,Dr.,Gle Labs,Chemist,* myContacts ::: Angels,* Work,goo@gle.example ::: goo@home.example,Mobile,+44 20 7946 0018 ::: +44 20 7946 0019,https://goo.example/me\n',
      expected: {
        name: 'Dr. Goo G. Gle',
        emails: ['goo@gle.example', 'goo@home.example'],
        phones: ['+442079460018', '+442079460019'],
        tags: ['Angels'],
        companies: ['Gle Labs: Chemist'],
      },
      ignored: ['E-mail 1 - Label', 'Phone 1 - Label'],
    },
    {
      source: null,
      file: 'Name;E-Mail;Company;Title\nJürgen Groß;juergen@gross.example;Groß AG;Vorstand\n',
      expected: { name: 'Jürgen Groß', emails: ['juergen@gross.example'], companies: ['Groß AG: Vorstand'] },
      ignored: [],
    },
  ]) {
    const report = await imports.import(file, CREATE)
    const { companies, ...fields } = expected
    assert.equal(report.file.holds.type, 'person', String(source))
    assert.equal(report.file.holds.source, source)
    assert.deepEqual(report.ignored_columns, ignored)
    assert.deepEqual([report.created, report.failed, report.bad_cells], [1, 0, []], JSON.stringify(report))
    const person = await imports.person(fields.name)
    for (const [name, value] of Object.entries(fields))
      assert.deepEqual(person[name as 'name'], value, `${source} ${name}`)
    assert.deepEqual(person.companies.map((one) => `${one.name}: ${one.role}`).sort(), companies)
    assert.equal(person.companies.filter(({ is_primary }) => is_primary).length, 1)
  }
})

test('a file of companies is distinguished from a file of people', async () => {
  const { body } = await api.call('POST', '/api/companies/import', undefined, {
    payload: 'First Name,Last Name,Email,Company\nA,B,a@b.example,C\n',
    headers: { 'content-type': 'text/csv' },
    query: { dry_run: 'true' },
  })
  assert.deepEqual(body.data.file.holds, {
    type: 'person',
    source: null,
    reason: 'The columns First Name and Last Name show it.',
  })
  const { holds } = (await imports.report('Name,Website,Employees,Email\nA,a.example,5,x@a.example\n')).file
  assert.equal(holds.type, 'company')
  const missing = await imports.send('Content,Date\nHello,2026-01-01\n')
  assert.equal(missing.status, 400)
  assert.match(missing.body.details, /No column is recognized as the person's name or email address/)
  assert.equal(missing.body.file.holds.type, 'company')
})

test('companies are found by website, else by name, and ambiguous ones are reported, not guessed', async () => {
  const acme = await company({ name: 'Acme', website: 'https://acme.example', country_code: 'DE' })
  await company({ name: 'Twin', country_code: 'FR' })
  await company({ name: 'Twin', country_code: 'DE' })
  const gone = await company({ name: 'Gone' })
  await api.call('DELETE', `/api/companies/${gone}`)
  const report = await imports.import(
    'Name,Company,Company Domain,Email,Phone\n' +
      'By Site,Acme International,www.acme.example,,030 901820\n' +
      'By Name,ACME,,,\n' +
      'By Mail,,,by@acme.example,\n' +
      'By Free Mail,,,by@gmail.com,\n' +
      'Two Twins,Twin,,,\n' +
      'New One,Newco,newco.example,,\n' +
      'Other Site,Acme,other.example,,\n' +
      'Trashed,Gone,,,\n',
  )
  assert.equal(report.created, 8)
  assert.deepEqual(report.companies.created, 0)
  assert.deepEqual(
    report.companies.unknown.map(({ name, reason, row }) => `${name} ${reason} ${row}`),
    ['Twin ambiguous 6', 'Newco unknown 7', 'Acme ambiguous 8', 'Gone in_trash 9'],
  )
  assert.deepEqual(
    report.bad_cells.map(({ row, column, value }) => `${row} ${column} ${value}`),
    ['6 Company Twin', '7 Company Newco', '8 Company Acme', '9 Company Gone'],
  )
  const linked = (await imports.people()).filter(({ companies }) => companies[0]?.company_id === acme)
  assert.deepEqual(linked.map(({ name }) => name).sort(), ['By Mail', 'By Name', 'By Site'])
  assert.match(JSON.stringify(report.warnings), /found by the domain of the email address/)
  assert.deepEqual((await imports.person('By Site')).phones, ['+4930901820'])
  assert.equal(report.companies.linked, 1)
})

test('one person twice in the file is one person with all companies, and existing people get what is new', async () => {
  const created = await imports.import(
    'Name,Email,Company,Title,Tags\n' +
      'Ada Byron,ada@byron.example,Engines,CEO,Seed\n' +
      'Ada Byron,ADA@byron.example,Engines Labs,Advisor,Angel\n' +
      'Ada Byron,,Engines,,\n' +
      'Office One,office@byron.example,Engines,,\n' +
      'Someone Else,office@byron.example,Engines,,\n',
    CREATE,
  )
  assert.equal(created.created, 3)
  assert.equal(created.companies.created, 2)
  assert.match(JSON.stringify(created.warnings), /Someone with another name has this email address/)
  const ada = await imports.person('Ada Byron')
  assert.deepEqual(
    ada.companies.map(({ name, role }) => `${name} ${role}`),
    ['Engines CEO', 'Engines Labs Advisor'],
  )
  assert.deepEqual(ada.tags.toSorted(), ['Angel', 'Seed'])
  const changed = 'Full Name,Email,Headline,Location\nA. Byron,ada@byron.example,Countess,London\n'
  const skipped = await imports.report(changed, { on_existing: 'skip' })
  assert.deepEqual([skipped.left_out, skipped.updated], [1, 0])
  const report = await imports.import(changed)
  assert.deepEqual(report.changes[0]?.changes, {
    headline: { from: null, to: 'Countess' },
    location: { from: null, to: 'London' },
  })
  assert.match(JSON.stringify(report.warnings), /stored with another name, which stays/)
  const filled = await imports.report('Name,Email,Headline\nAda Byron,ada@byron.example,Other\n', {
    on_existing: 'fill',
  })
  assert.equal(filled.unchanged, 1)
  assert.equal((await imports.person('Ada Byron')).headline, 'Countess')
})

test('bad cells are reported, rows without a name fail, and NUL and quotes are harmless', async () => {
  const rows =
    'Name,Email,Phone,LinkedIn,Company Owner,Contact owner\n' +
    '"Nul\0la ""Q"" O\'Neil",not an address,12345 ext 9,nolink,,nobody@example.com\n' +
    ',only@mail.example,,,,\n' +
    ',,+4930901820,,,\n' +
    'Fine,fine@mail.example,+49 30 901820,,,\n'
  const report = await imports.import(rows)
  assert.deepEqual([report.created, report.failed], [3, 1])
  assert.deepEqual(report.bad_cells.map(({ row, column }) => `${row} ${column}`).sort(), [
    '2 Contact owner',
    '2 Email',
    '2 LinkedIn',
    '2 Phone',
  ])
  assert.deepEqual(
    report.errors.map(({ row, message }) => `${row} ${message}`),
    ['4 name is required.'],
  )
  assert.equal((await imports.person('Nulla "Q" O\'Neil')).emails.length, 0)
  assert.equal((await imports.person('only@mail.example')).emails[0], 'only@mail.example')
  const strict = await imports.report(rows, { bad_cells: 'fail', dry_run: 'true' })
  assert.deepEqual([strict.failed, strict.unchanged], [2, 2])
  for (const [query, message] of [
    [{ on_existing: 'guess' }, /on_existing must be/],
    [{ on_conflict: 'skip' }, /on_conflict/],
    [{ mapping: '{"website": "Name"}' }, /mapping.website is not a known field. Known: first_name/],
  ] as const) {
    const { status, body } = await imports.send(rows, query)
    assert.equal(status, 400)
    assert.match(body.details, message)
  }
})

test('columns become custom fields, and required ones are needed', async () => {
  const file = 'Name,Met at,Since\nCus Tom,Slush,2025-03-04\nCus Tomer,Web Summit,2025-03-05\n'
  const mapping = JSON.stringify({
    'custom.met_at': { column: 'Met at' },
    'custom.since': { column: 'Since' },
  })
  const dry = await imports.report(file, { mapping, dry_run: 'true' })
  assert.deepEqual(
    dry.new_fields.map(({ key, type, entity }) => [key, type, entity]),
    [
      ['met_at', 'text', 'person'],
      ['since', 'date', 'person'],
    ],
  )
  await imports.report(file, { mapping })
  assert.deepEqual((await imports.person('Cus Tom')).custom, { met_at: 'Slush', since: '2025-03-04' })
  const { data } = (await api.call('GET', '/api/fields?entity=person')).body
  const field = data.find(({ key }: { key: string }) => key === 'custom.since' || key === 'since')
  const required = await api.call('PATCH', `/api/fields/${field.id}`, { required: true })
  assert.equal(required.status, 200, JSON.stringify(required.body))
  const report = await imports.report('Name\nNo Value\n')
  assert.deepEqual([report.created, report.failed], [0, 1])
  assert.match(report.errors[0]?.message ?? '', /required/)
  await api.call('PATCH', `/api/fields/${field.id}`, { required: false })
})

test('an undo removes people and companies, and brings updated people back', async () => {
  await imports.report('Name,Email,Headline\nOld Hand,old@hand.example,Before\n')
  const report = await imports.report(
    'Name,Email,Headline,Company\nOld Hand,old@hand.example,After,Handco\nNew Hand,new@hand.example,,Handco\n',
    CREATE,
  )
  assert.deepEqual([report.created, report.updated, report.companies.created], [1, 1, 1])
  const { data } = (await api.call('GET', '/api/imports')).body
  assert.deepEqual([data[0].type, data[0].created, data[0].state], ['person', 1, 'completed'])
  const detail = await api.call('GET', `/api/imports/${data[0].id}`)
  assert.equal(detail.status, 200, JSON.stringify(detail.body))
  const stored = detail.body.data.report
  assert.equal(stored.companies.created, 1)
  const undo = await api.call('POST', `/api/actions/${report.action_id}/undo`)
  assert.equal(undo.status, 200, JSON.stringify(undo.body))
  assert.deepEqual(undo.body.data.skipped, [])
  const people = await imports.people()
  assert.deepEqual(
    people.map(({ name, headline, companies }) => [name, headline, companies.length]),
    [['Old Hand', 'Before', 0]],
  )
  assert.equal((await api.call('GET', '/api/companies?limit=0')).body.pagination.total, 0)
})

test('people in the trash stay there, or are restored on request', async () => {
  await imports.report('Name,Email\nTra Sh,tra@sh.example\n')
  await api.call('DELETE', `/api/people/${(await imports.person('Tra Sh')).id}`)
  const file = 'Name,Email,Headline\nTra Sh,tra@sh.example,Back\n'
  const skipped = await imports.import(file)
  assert.deepEqual([skipped.trashed, skipped.trashed_rows], [1, [{ row: 2, name: 'Tra Sh' }]])
  const report = await imports.import(file, { on_trashed: 'restore' })
  assert.deepEqual([report.restored, report.updated], [1, 1])
  assert.equal((await imports.person('Tra Sh')).headline, 'Back')
})

test('an export of people is imported without loss', async () => {
  await company({ name: 'Round; "Trip"', website: 'https://round.example' })
  await imports.report(
    'Name,Email,Phone,LinkedIn,Company,Title,Tags,Headline,City\n' +
      '"=Round, Tripper",one@round.example; two@round.example,+4930901820; +4930901821,https://linkedin.com/in/round,"Round; ""Trip""",CEO,"A; B, C",Says hi,Oslo\n' +
      'Plain Person,,,,,,,,\n',
  )
  const before = await imports.people()
  const exported = (await api.call('GET', '/api/people/export')).body
  const same = await imports.import(exported)
  assert.deepEqual([same.unchanged, same.updated, same.created], [2, 0, 0])
  assert.equal(same.file.holds.source, 'export')
  for (const { id } of before) await api.call('DELETE', `/api/people/${id}`)
  for (const { id } of before) await api.call('DELETE', `/api/trash/${id}`)
  const report = await imports.import(exported)
  assert.deepEqual([report.created, report.bad_cells], [2, []], JSON.stringify(report.warnings))
  const without = (people: object[]) => people.map((one) => ({ ...one, updated_at: null }))
  assert.deepEqual(without(await imports.people()), without(before))
})
