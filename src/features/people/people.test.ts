import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  await api.call('GET', `/api/users/${ada}`)
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
const ok = ({ status, body }: Answer): any => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const company = async (fields: object = {}): Promise<string> =>
  ok(await api.call('POST', '/api/companies', { name: 'Loomworks', ...fields })).id
const create = async (fields: object = {}) =>
  ok(await api.call('POST', '/api/people', { name: 'Ada', ...fields }))
const read = async (id: string) => ok(await api.call('GET', `/api/people/${id}`))
const namesOf = async (query: string) =>
  ok(await api.call('GET', `/api/people?${query}`)).map(({ name }: { name: string }) => name)

test('a person is created with normalized details and companies, read, and listed', async () => {
  const [one, two] = [await company({ name: 'One', country_code: 'DE' }), await company({ name: 'Two' })]
  const { status, body, headers } = await api.call('POST', '/api/people', {
    name: '  Ingrid   Solberg ',
    emails: ['Ingrid@Loom.EXAMPLE', 'ingrid@loom.example'],
    phones: ['030 123456', '+49 30 123456', '+47 22 12 34 56'],
    links: ['https://loom.example/ingrid'],
    headline: 'Founder',
    location: '',
    tags: ['b', 'a', 'A'],
    owner_email: 'ADA@example.com',
    companies: [
      { company_id: two, from: '2010-01-01', until: '2015-12-31' },
      { company_id: one, role: ' Chief  Executive ', from: '2016-01-01', is_primary: true },
    ],
  })
  assert.equal(status, 201)
  assert.match(String(headers['x-action-id']), /^ax_/)
  const { id, created_at, updated_at, ...fields } = body.data
  assert.match(id, /^per_/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(fields, {
    name: 'Ingrid Solberg',
    emails: ['ingrid@loom.example'],
    phones: ['+4930123456', '+4722123456'],
    links: ['https://loom.example/ingrid'],
    headline: 'Founder',
    location: null,
    tags: ['a', 'b'],
    owner_email: ada,
    custom: {},
    companies: [
      {
        ...{ company_id: one, name: 'One', role: 'Chief Executive', from: '2016-01-01', until: null },
        is_primary: true,
      },
      {
        company_id: two,
        name: 'Two',
        role: null,
        from: '2010-01-01',
        until: '2015-12-31',
        is_primary: false,
      },
    ],
    ...{ last_contact_at: null, last_contact_by: null, contacts_last_year: 0, next_step: null },
    possible_duplicates: [],
  })
  const { possible_duplicates: _none, ...person } = body.data
  assert.deepEqual(await read(id), person)
  const list = await api.call('GET', `/api/people?company_id=${one}`)
  assert.deepEqual(list.body, {
    data: [person],
    pagination: { total: 1, limit: 50, offset: 0, hasMore: false },
  })
})

test('invalid details are a 400 that names the field and says what is allowed', async () => {
  const id = await company()
  const link = { company_id: id }
  for (const [fields, message] of [
    [{ name: undefined }, /^name is required\./],
    [{ name: '' }, /^name must be text of 1 to 300 characters that is not blank, not ""\./],
    [{ name: ' ' }, /^name must be text/],
    [{ emails: ['nobody'] }, /^emails\[0\] must be an email address such as ada@example\.com/],
    [
      { emails: Array.from({ length: 21 }, (_value, n) => `${n}@x.example`) },
      /^emails must be an array of 0 to 20/,
    ],
    [
      { phones: ['+49 30 123456', '030 123456'] },
      /^phones\[1\] must be an international phone number, .* "030 123456"\. Start it with \+ and the country code, such as /,
    ],
    [{ phones: ['call me'] }, /^phones\[0\] must be .*, not "call me"\./],
    [{ phones: ['+49 30 123456 ext. 5'] }, /without an extension/],
    [{ links: ['javascript:alert(1)'] }, /^links\[0\] must be a URL such as/],
    [{ owner_email: 'no@example.com' }, /^owner_email must be the email address of a user/],
    [{ tags: ['a;b'] }, /^tags\[0\] must be text/],
    [{ nickname: 'x' }, /^nickname is not a known field/],
    [
      { companies: [{ company_id: 'cmp_none' }] },
      /company_id must be the id of a company; none has the id cmp_none/,
    ],
    [{ companies: [{ company_id: '__proto__' }] }, /none has the id __proto__/],
    [{ companies: [link, link] }, /^companies\[1\]\.company_id must not be listed twice/],
    [{ companies: [{ ...link, from: '2026-02-30' }] }, /^companies\[0\]\.from must be a date such as/],
    [
      { companies: [{ ...link, from: '2026-03-01', until: '2026-02-28' }] },
      /^companies\[0\]\.until must not be before from/,
    ],
    [
      {
        companies: [
          { ...link, is_primary: true },
          { company_id: await company(), is_primary: true },
        ],
      },
      /at most one with is_primary/,
    ],
  ] as const) {
    const { status, body } = await api.call('POST', '/api/people', { name: 'Invalid', ...fields })
    assert.equal(status, 400, JSON.stringify(fields))
    assert.match(body.details, message)
  }
  const german = await company({ country_code: 'DE' })
  const companies = [{ company_id: german, is_primary: true }]
  const wrong = await api.call('POST', '/api/people', { name: 'Invalid', phones: ['1'], companies })
  assert.match(
    wrong.body.details,
    /^phones\[0\] must be .* or a number of the country DE, without an extension, not "1"\./,
  )
  assert.deepEqual(await namesOf('search=invalid'), [])
})

test('unknown people and companies are a 404', async () => {
  const [{ id }, of] = [await create(), await company()]
  for (const [method, url, body] of [
    ['GET', '/api/people/per_none'],
    ['PATCH', '/api/people/per_none', { name: 'x' }],
    ['DELETE', '/api/people/per_none'],
    ['GET', '/api/people/per_none/history'],
    ['GET', '/api/companies/cmp_none/people'],
    ['PUT', `/api/companies/cmp_none/people/${id}`, {}],
    ['PUT', `/api/companies/${of}/people/per_none`, {}],
    ['DELETE', `/api/companies/${of}/people/per_none`],
    ['DELETE', `/api/companies/${of}/people/${id}`],
    ['POST', '/api/companies/cmp_none/people/from-executives'],
  ] as const)
    assert.equal((await api.call(method, url, body)).status, 404, `${method} ${url}`)
})

test('changes are recorded with previous values, and If-Match guards them', async () => {
  const german = await company({ country_code: 'DE' })
  const person = await create({
    emails: ['a@x.example'],
    companies: [{ company_id: german, is_primary: true }],
  })
  const url = `/api/people/${person.id}`
  const headers = (time: string) => ({ headers: { 'x-user-email': ada, 'if-match': `"${time}"` } })
  const patch = { ...person, emails: ['B@x.example'], phones: ['030 123456'], companies: [] }
  const changed = await api.call('PATCH', url, patch, headers(person.updated_at))
  assert.deepEqual(
    [changed.body.data.emails, changed.body.data.phones, changed.body.data.companies.length],
    [['b@x.example'], ['+4930123456'], 1],
  )
  assert.ok(changed.headers['x-action-id'])
  const stale = await api.call('PATCH', url, { name: 'Other' }, headers(person.updated_at))
  assert.equal(stale.status, 412)
  assert.match(stale.body.details, /this person was last changed at/)
  const same = await api.call('PATCH', url, changed.body.data)
  assert.deepEqual([same.headers['x-action-id'], same.body.data], [undefined, changed.body.data])
  const history = ok(await api.call('GET', `${url}/history`))
  assert.deepEqual(
    history.map(({ field, from, to }: Record<string, unknown>) => [field, from, to]),
    [
      ['emails', ['a@x.example'], ['b@x.example']],
      ['phones', [], ['+4930123456']],
      [`companies.${german}`, null, { role: null, from: null, until: null, is_primary: true }],
    ],
  )
  const [latest] = ok(await api.call('GET', `/api/activity?entity_type=person&entity_id=${person.id}`))
  assert.deepEqual(
    [latest.activity_type, latest.entity_name, latest.metadata],
    ['person_updated', 'Ada', { fields: ['emails', 'phones'] }],
  )
})

test('a creation lists other people with one of the addresses', async () => {
  const { id, name, emails, headline } = await create({ name: 'First', emails: ['twin@x.example'] })
  const { possible_duplicates } = await create({ name: 'Second', emails: ['z@x.example', 'TWIN@x.example'] })
  assert.deepEqual(possible_duplicates, [{ person: { id, name, emails, headline }, reasons: ['same_email'] }])
})

test('people are searched, filtered and sorted', async () => {
  const id = await company({ name: 'Filtered' })
  await create({ name: 'Jörg Müller', headline: 'Owner of Filterwerk', tags: ['x'], owner_email: ada })
  const links = [
    { company_id: id, role: 'Managing Partner' },
    { company_id: await company(), role: 'Advisor', until: '2020-01-01' },
  ]
  await create({ name: 'Zoë', emails: ['zoe@filterwerk.example'], companies: links })
  assert.deepEqual(await namesOf('search=filterwerk&sort=name'), ['Jörg Müller', 'Zoë'])
  assert.deepEqual(await namesOf('search=filterwerk&sort=-name'), ['Zoë', 'Jörg Müller'])
  assert.deepEqual(await namesOf('search=MUELLER%20jor'), ['Jörg Müller'])
  assert.deepEqual(await namesOf('search=zoe%40filter'), ['Zoë'])
  assert.deepEqual(await namesOf('search=filterwerk&owner_email=me&tags=x'), ['Jörg Müller'])
  assert.deepEqual(await namesOf(`company_id=${id}`), ['Zoë'])
  await create({
    name: 'Reached',
    phones: ['+49 30 7654321'],
    companies: [{ company_id: await company({ name: 'Filtered Past' }), until: '2020-01-01' }],
  })
  assert.deepEqual(await namesOf('search=filtered&sort=name'), ['Reached', 'Zoë'])
  assert.deepEqual(await namesOf('search=zoe%20filtered'), ['Zoë'])
  for (const number of ['+49 (0)30 765-4321', '030/7654321', '0049307654321', '7654'])
    assert.deepEqual(await namesOf(`search=${encodeURIComponent(number)}`), ['Reached'], number)
  assert.deepEqual(await namesOf('search=765'), [])
  const filtered = (filter: object) =>
    namesOf(`sort=name&filter=${encodeURIComponent(JSON.stringify(filter))}`)
  const is = (field: string, op: string, value?: unknown) => ({
    field,
    op,
    ...(value !== undefined && { value }),
  })
  assert.deepEqual(await filtered(is('company_id', 'eq', id)), ['Zoë'])
  assert.deepEqual(
    await filtered({ and: [is('company_id', 'is_empty'), is('headline', 'contains', 'filterWERK')] }),
    ['Jörg Müller'],
  )
  assert.deepEqual(await filtered(is('role', 'contains', 'partner')), ['Zoë'])
  const mine = is('headline', 'contains', 'filterwerk')
  assert.deepEqual(await filtered({ and: [mine, is('role', 'is_empty')] }), ['Jörg Müller'])
  assert.deepEqual(await filtered({ and: [mine, is('companies', 'eq', 0)] }), ['Jörg Müller'])
  assert.deepEqual(await filtered({ and: [is('company_id', 'eq', id), is('companies', 'gte', 2)] }), ['Zoë'])
  assert.deepEqual(await filtered(is('emails', 'eq', 'ZOE@filterwerk.example')), ['Zoë'])
  const page = await api.call('GET', '/api/people?search=filterwerk&limit=1&sort=created_at')
  assert.deepEqual(
    [page.body.data[0].name, page.body.pagination],
    ['Jörg Müller', { total: 2, limit: 1, offset: 0, hasMore: true }],
  )
  assert.equal((await api.call('GET', '/api/people?emails=x')).status, 400)
})

test('executives become people once, apart from case and accents', async () => {
  const executives = [{ name: 'Zoë Ek', title: 'CEO' }, { name: 'ZOE  EK' }, 'Bo Li', { title: 'CFO' }, 7]
  const id = await company({ executives })
  const url = `/api/companies/${id}/people`
  await api.call('PUT', `${url}/${(await create({ name: 'bo li' })).id}`, {})
  assert.deepEqual(ok(await api.call('POST', `${url}/from-executives`)), {
    created: 1,
    existing: 2,
    skipped: 2,
  })
  const again = await api.call('POST', `${url}/from-executives`)
  assert.deepEqual(again.body.data, { created: 0, existing: 3, skipped: 2 })
  assert.equal(again.headers['x-action-id'], undefined)
  const people = ok(await api.call('GET', url))
  assert.deepEqual(
    people.map(({ name, link }: { name: string; link: { role: string } }) => [name, link.role]),
    [
      ['Zoë Ek', 'CEO'],
      ['bo li', null],
    ],
  )
  assert.deepEqual(ok(await api.call('GET', `/api/companies/${id}`)).company.executives, executives)
})

test('people have custom fields, which are checked, filtered, recorded, and undone', async () => {
  const field = (fields: object) => api.call('POST', '/api/fields', { entity: 'person', ...fields })
  const { key, id: fieldId } = ok(await field({ label: 'Languages', type: 'text' }))
  assert.equal((await field({ label: 'Headline', type: 'text' })).status, 409)
  const person = await create({ name: 'Custom', custom: { [key]: ' French ' } })
  const url = `/api/people/${person.id}`
  assert.deepEqual(person.custom, { [key]: 'French' })
  const wrong = await api.call('PATCH', url, { custom: { nope: 1 } })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.details, /custom\.nope/)
  const filter = encodeURIComponent(JSON.stringify({ field: `custom.${key}`, op: 'eq', value: 'French' }))
  assert.deepEqual(await namesOf(`filter=${filter}&sort=custom.${key}`), ['Custom'])
  const changed = await api.call('PATCH', url, { custom: { [key]: null }, headline: 'New' })
  assert.deepEqual([changed.body.data.custom, changed.body.data.headline], [{}, 'New'])
  const [{ field: name, from, to }] = ok(await api.call('GET', `${url}/history?field=custom.${key}`))
  assert.deepEqual([name, from, to], [`custom.${key}`, 'French', null])
  ok(await api.call('POST', `/api/actions/${changed.headers['x-action-id']}/undo`, {}))
  assert.deepEqual(
    [(await read(person.id)).custom, (await read(person.id)).headline],
    [{ [key]: 'French' }, null],
  )
  ok(await api.call('DELETE', url))
  ok(await api.call('PATCH', `/api/fields/${fieldId}`, { archived: true }))
  assert.equal((await api.call('DELETE', `/api/fields/${fieldId}?confirm=true`)).status, 204)
  ok(await api.call('POST', `/api/trash/${person.id}/restore`))
  assert.deepEqual((await read(person.id)).custom, {})
})

test('people are exported as CSV with the filters of the list, and the export is audited', async () => {
  const id = await company({ name: 'Exported' })
  const person = await create({
    name: '=Formula',
    emails: ['a@exported.example', 'b@exported.example'],
    phones: ['+4930123456'],
    tags: ['x', 'y'],
    companies: [{ company_id: id, role: 'CEO' }],
  })
  const { status, headers, body } = await api.call('GET', '/api/people/export?search=exported')
  assert.equal(status, 200)
  assert.match(String(headers['content-disposition']), /filename="people\.csv"/)
  const [header, line, end] = body.split('\r\n')
  assert.equal(
    header,
    'id,name,emails,phones,links,headline,location,tags,owner_email,companies,last_contact_at,last_contact_by,contacts_last_year,next_step,next_step_on,created_at,updated_at',
  )
  assert.match(line, /^per_\w+,'=Formula,a@exported\.example; b@exported\.example,'\+4930123456,,,,x; y,,/)
  assert.ok(line.startsWith(person.id) && line.includes(`""company_id"":""${id}""`))
  assert.equal(end, '')
  await api.context.audit.flush()
  const [entry] = ok(await api.call('GET', '/api/audit?event=export'))
  assert.deepEqual([entry.details.resource, entry.details.rows], ['people', 1])
})
