import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { dayFromToday, type Fields, ok, tasksOf } from './tasks.fixture.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const { company, create, deal, finish, patch, person, task } = tasksOf(() => api)
const get = async (url: string): Promise<Fields> => ok(await api.call('GET', url))
const stepOf = async (url: string): Promise<Fields> => (await get(url)).next_step
const companyStep = async (id: string): Promise<Fields> =>
  (await get(`/api/companies/${id}`)).company.next_step

test('the next step of a company, a deal, and a person is the open task that is due first', async () => {
  const id = await company('Stepping')
  const deal_id = await deal(id)
  const person_id = await person({ name: 'Stepper' })
  assert.equal(await companyStep(id), null)
  const about = [{ type: 'company', id }]
  const none = await task({ title: 'Without a date', about })
  assert.equal((await companyStep(id)).task_id, none.id)
  await task({ title: 'Third', about, due_on: dayFromToday(9) })
  const second = await task({ title: 'Second', about, due_on: dayFromToday(4), assignee_email: null })
  const both = [
    { type: 'deal', id: deal_id },
    { type: 'person', id: person_id },
  ]
  const first = await task({ title: 'First', about: both, due_at: `${dayFromToday(4)}T23:30:00Z` })
  const expected = {
    ...{ task_id: first.id, title: 'First', due_on: null, due_at: `${dayFromToday(4)}T23:30:00.000Z` },
    assignee_email: ada,
  }
  // Timed tasks come first on their day.
  assert.deepEqual(await companyStep(id), expected)
  assert.deepEqual(await stepOf(`/api/dealflow/${deal_id}`), expected)
  assert.deepEqual(await stepOf(`/api/people/${person_id}`), expected)
  assert.deepEqual((await get(`/api/dealflow?company_id=${id}`))[0].next_step, expected)
  assert.deepEqual((await get('/api/people'))[0].next_step, expected)
  assert.deepEqual((await get('/api/companies?search=stepping'))[0].next_step, expected)
  ok(await finish(first.id))
  assert.equal(await stepOf(`/api/people/${person_id}`), null)
  assert.deepEqual(await companyStep(id), {
    ...{ task_id: second.id, title: 'Second', due_on: dayFromToday(4), due_at: null, assignee_email: null },
  })
  ok(await api.call('DELETE', `/api/tasks/${second.id}`))
  assert.equal((await companyStep(id)).title, 'Third')
})

test('lists are filtered and sorted by the day of the next step', async () => {
  const ids: string[] = []
  for (const [name, days] of [
    ['Step late', 30],
    ['Step soon', 1],
    ['Step none', null],
  ] as const) {
    const id = await company(name)
    ids.push(id)
    const person_id = await person({ name })
    const about = [
      { type: 'deal', id: await deal(id) },
      { type: 'person', id: person_id },
    ]
    if (days !== null) await task({ title: name, about, due_on: dayFromToday(days) })
  }
  const names = async (url: string, query: Record<string, string>) => {
    const { status, body } = await api.call('GET', url, undefined, { query })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
      .map((record: Fields) => record.company_name ?? record.name)
      .filter((name: string) => name.startsWith('Step '))
  }
  const sort = 'next_step_on:nulls_last'
  const leaf = (op: string, value: string) => JSON.stringify({ field: 'next_step_on', op, value })
  for (const url of ['/api/companies', '/api/dealflow', '/api/people']) {
    assert.deepEqual(await names(url, { sort }), ['Step soon', 'Step late', 'Step none'], url)
    assert.deepEqual(await names(url, { sort: '-next_step_on' }), ['Step late', 'Step soon', 'Step none'])
    assert.deepEqual(await names(url, { filter: leaf('lte', '+7d'), sort }), ['Step soon'])
    const empty = JSON.stringify({ field: 'next_step_on', op: 'is_empty' })
    assert.ok((await names(url, { filter: empty })).includes('Step none'), url)
  }
  for (const [entity, path] of [
    ['company', '/api/companies/export'],
    ['deal', '/api/dealflow/export'],
    ['person', '/api/people/export'],
  ] as const) {
    const fields = await get(`/api/fields?entity=${entity}&limit=1000`)
    assert.equal(fields.find(({ name }: Fields) => name === 'next_step_on').label, 'Next step')
    const { body } = await api.call('GET', path)
    assert.match(body, new RegExp(`next_step,next_step_on.*Step soon,${dayFromToday(1)}`, 's'))
  }
})

test('a record shows no next step at an earlier time, and takes back what was read', async () => {
  const id = await company('Past')
  const deal_id = await deal(id)
  const person_id = await person({ name: 'Past', companies: [{ company_id: id }] })
  await task({
    title: 'Now',
    about: [
      { type: 'deal', id: deal_id },
      { type: 'person', id: person_id },
    ],
  })
  const now = new Date().toISOString()
  const past = await get(`/api/companies/${id}?as_of=${now}`)
  assert.deepEqual(
    [past.company.next_step, past.deals[0].next_step, past.dealflow.next_step],
    [null, null, null],
  )
  assert.equal(await stepOf(`/api/people/${person_id}?as_of=${now}`), null)
  const read = (await get(`/api/companies/${id}`)).company
  const { enriched_data: _data, enriched_data_error: _error, ...sent } = read
  assert.equal(ok(await api.call('PATCH', `/api/companies/${id}`, sent)).updated_at, read.updated_at)
})

test('a contact moves a reminder to get in touch', async () => {
  const id = await company('Contacted')
  const deal_id = await deal(id)
  const about = [{ type: 'deal', id: deal_id }]
  const reminder = await task({
    title: 'Get in touch',
    about,
    unless_contact_days: 30,
    due_on: dayFromToday(2),
  })
  assert.deepEqual([reminder.due_on, reminder.last_contact_at], [dayFromToday(2), null])
  const note = (fields: object) =>
    create('/api/notes', { body: 'Spoke', kind: 'call', about: [{ type: 'company', id }], ...fields })
  const read = () => get(`/api/tasks/${reminder.id}`)
  // None of these is a contact of the team so far.
  await note({ kind: 'note' })
  await note({ visibility: 'private' })
  await note({ happened_at: `${dayFromToday(3)}T09:00:00Z` })
  assert.equal((await read()).due_on, dayFromToday(2))
  const call = await note({ happened_at: `${dayFromToday(-5)}T09:00:00Z` })
  const moved = await read()
  assert.deepEqual(
    [moved.due_on, moved.last_contact_at],
    [dayFromToday(25), `${dayFromToday(-5)}T09:00:00.000Z`],
  )
  assert.equal((await get(`/api/dealflow/${deal_id}`)).next_step.due_on, dayFromToday(25))
  const listed = async (due: string) =>
    (await get(`/api/tasks?about=${deal_id}&due=${due}`)).map(({ title }: Fields) => title)
  assert.deepEqual([await listed('week'), await listed('later')], [[], ['Get in touch']])
  // What was read can be sent back, without making the moved day the stored one.
  assert.equal(ok(await patch(reminder.id, { due_on: moved.due_on })).updated_at, moved.updated_at)
  ok(await api.call('DELETE', `/api/notes/${call.id}`))
  assert.equal((await read()).due_on, dayFromToday(2))
  const done = ok(await finish(reminder.id))
  const next = await get(`/api/tasks/${done.next_id}`)
  assert.deepEqual([next.due_on, next.unless_contact_days], [dayFromToday(30), 30])
})

test('a contact with a person, and with one of the people of a company, counts', async () => {
  const id = await company('With people')
  const person_id = await person({ name: 'Contacted', companies: [{ company_id: id }] })
  const of = (about: object[]) => task({ title: 'Reach', about, unless_contact_days: 10 })
  const ofCompany = await of([{ type: 'company', id }])
  const ofPerson = await of([{ type: 'person', id: person_id }])
  const happened_at = `${dayFromToday(-1)}T12:00:00Z`
  await create('/api/notes', {
    ...{ kind: 'meeting', body: 'Met', about: [{ type: 'person', id: person_id }], happened_at },
  })
  for (const reminder of [ofCompany, ofPerson]) {
    const { due_on, last_contact_at } = await get(`/api/tasks/${reminder.id}`)
    // The day that it was created with is later.
    assert.deepEqual([due_on, Date.parse(last_contact_at)], [dayFromToday(10), Date.parse(happened_at)])
  }
})
