import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { findDuplicates } from '#src/features/duplicates/scan.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { whenBlocked } from '#src/testing/locks.ts'
import { ada } from '#src/testing/settings.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const create = (fields: object, options?: Parameters<TestApp['call']>[3]) =>
  api.call('POST', '/api/companies', fields, options)
const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => ({ name: `${name} ${n}`, website: `https://${name}-${n}.example` }))
const idsOf = (answers: Answer[]): string[] => answers.map(({ body }) => body.data.id)

/** Checks that each company, and nothing else, was created: with its record, action and activity. */
async function assertCreated(answers: Answer[], names: string[]): Promise<void> {
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.data?.name]),
    names.map((name) => [201, name]),
  )
  const { rows } = await sql<{ id: string; name: string; action_id: string }>`
    select companies.id, name, actions.id as action_id
    from companies join activity on entity_id = companies.id and activity_type = 'company_created'
      and activity.user_email = ${ada} and via = 'request'
    join actions on actions.id = action_id and kind = 'create' and records = 1 and actions.user_email = ${ada}
    where companies.id = any(${idsOf(answers)}) order by companies.id`.execute(api.context.db)
  const expected = answers.map(({ headers, body }) => ({
    id: body.data.id,
    name: body.data.name,
    action_id: headers['x-action-id'],
  }))
  assert.deepEqual(
    rows,
    expected.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  )
}

/** Creates companies all at once, while another transaction keeps the table, or the embedded database. */
async function createTogether(companies: object[]): Promise<Answer[]> {
  let answers: Promise<Answer>[] = []
  await api.context.db.transaction().execute(async (transaction) => {
    await sql`lock table companies in share row exclusive mode`.execute(transaction)
    answers = companies.map((company) => create(company))
    await whenBlocked(transaction, /insert into companies/)
    // `inject` needs no I/O, only turns of the event loop.
    for (let turn = 0; turn < 100; turn++) await setImmediate()
  })
  return Promise.all(answers)
}

const total = async (): Promise<number> =>
  (await api.call('GET', '/api/companies?limit=0')).body.pagination.total

test('of 64 concurrent creations, each caller gets its own company', async () => {
  const before = await total()
  const companies = numbered(64, 'parallel')
  const answers = await createTogether(companies)
  await assertCreated(
    answers,
    companies.map(({ name }) => name),
  )
  assert.equal(await total(), before + 64)
})

test('a creation with an unknown thesis or a wrong owner fails alone', async () => {
  const before = await total()
  const companies = numbered(20, 'reference')
  const [created, thesis, owner] = await Promise.all([
    Promise.all(companies.map((company) => create(company))),
    create({ name: 'No thesis', thesis_id: 'th_01jw3f8x5y1c3e5g7j9m1p3r5t' }),
    create({ name: 'No owner', owner_email: 'nobody@fund.example' }),
  ])
  await assertCreated(
    created,
    companies.map(({ name }) => name),
  )
  assert.equal(thesis.status, 400)
  assert.match(thesis.body.details, /thesis_id .* none has the id th_01jw3f8x5y1c3e5g7j9m1p3r5t/)
  assert.equal(owner.status, 400)
  assert.match(owner.body.details, /owner_email/)
  assert.equal(await total(), before + 20)
})

test('a creation whose value the database refuses fails alone', async () => {
  const { db } = api.context
  await sql`create function refuse_company() returns trigger language plpgsql as $$ begin
    raise exception 'too much' using errcode = 'numeric_value_out_of_range'; end $$`.execute(db)
  await sql`create trigger refuse_company before insert on companies for each row
    when (new.name like 'Refused%') execute function refuse_company()`.execute(db)
  const before = await total()
  const companies = numbered(64, 'accepted')
  const names = companies.map(({ name }) => name)
  const mixed = companies.flatMap((company, n) =>
    n % 8 === 5 ? [company, { name: `Refused ${n}` }] : [company],
  )
  const answers = await createTogether(mixed)
  await sql`drop trigger refuse_company on companies`.execute(db)
  const refused = answers.filter(({ status }) => status !== 201)
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.details]),
    Array(8).fill([400, 'A value in the request is outside of what the database can store.']),
  )
  await assertCreated(
    answers.filter(({ status }) => status === 201),
    names,
  )
  assert.equal(await total(), before + 64)
})

test('creations with a thesis that is deleted while they wait fail, and others do not wait for it', async () => {
  const thesis = (await api.call('POST', '/api/theses', { code: 'GONE', title: 'Gone' })).body.data.id
  const companies = numbered(10, 'bystander')
  let failing: Promise<Answer>[] = []
  let others: Promise<Answer>[] = []
  await api.context.db.transaction().execute(async (transaction) => {
    await sql`delete from theses where id = ${thesis}`.execute(transaction)
    failing = companies.map(({ name }) => create({ name: `${name} of the thesis`, thesis_id: thesis }))
    await whenBlocked(transaction, /insert into companies/)
    others = companies.map((company) => create(company))
    // The embedded database has a single connection.
    if (testServer) await Promise.all(others)
  })
  for (const { status, body } of await Promise.all(failing)) {
    assert.equal(status, 400)
    assert.match(body.details, new RegExp(`thesis_id .* none has the id ${thesis}`))
  }
  await assertCreated(
    await Promise.all(others),
    companies.map(({ name }) => name),
  )
})

test('a client that disconnects cancels no creation', async () => {
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const companies = numbered(12, 'disconnected')
  const names = companies.map(({ name }) => name)
  const controller = new AbortController()
  const responses: ServerResponse[] = []
  api.app.server.on('request', (_request, response) => responses.push(response))
  let answers: Promise<number | undefined>[] = []
  await api.context.db.transaction().execute(async (transaction) => {
    await sql`lock table companies in share row exclusive mode`.execute(transaction)
    answers = companies.map(async (company, n) => {
      const headers = { 'content-type': 'application/json', 'x-user-email': ada }
      const request = { method: 'POST', headers, body: JSON.stringify(company) }
      if (n !== 7) return (await fetch(`${address}/api/companies`, request)).status
      const aborted = fetch(`${address}/api/companies`, { ...request, signal: controller.signal })
      return aborted.then(
        ({ status }) => status,
        () => undefined,
      )
    })
    await eventually(() => assert.equal(responses.length, companies.length))
    await whenBlocked(transaction, /insert into companies/)
    controller.abort()
    await Promise.race(responses.map((response) => once(response, 'close')))
  })
  const statuses = names.map((_name, n) => (n === 7 ? undefined : 201))
  assert.deepEqual(await Promise.all(answers), statuses)
  await eventually(async () => {
    const { rows } = await sql<{ name: string }>`
      select name from companies where name = any(${names})`.execute(api.context.db)
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), names.toSorted())
  })
})

test('a creation with an Idempotency-Key among others is performed once', async () => {
  const companies = numbered(20, 'keyed')
  const headers = (key: string) => ({ headers: { 'x-user-email': ada, 'idempotency-key': key } })
  const createAll = () =>
    Promise.all(companies.map((company, n) => create(company, n % 2 ? headers(`key ${n}`) : undefined)))
  const first = await createAll()
  await assertCreated(
    first,
    companies.map(({ name }) => name),
  )
  const second = await createAll()
  for (const [n, { body }] of second.entries())
    assert.equal(body.data.id === first[n]?.body.data.id, n % 2 === 1, `${n}`)
})

test('of similar companies that are created at the same time, all pairs are found', async () => {
  const fields = { name: 'Velandor Optics', country_code: 'NO' }
  const answers = await createTogether(Array.from({ length: 8 }, (_, n) => ({ ...fields, hq_city: `${n}` })))
  await findDuplicates(api.context.backgroundDb, new AbortController().signal)
  const id = answers[0]?.body.data.id
  const pairs = await api.call('GET', `/api/duplicates?company_id=${id}`)
  assert.equal(pairs.body.pagination.total, 7)
})

test('a company names a similar one that was created before it', async () => {
  const fields = { name: 'Fjordlys Analytics', country_code: 'NO', hq_city: 'Bergen' }
  const earlier = (await create(fields)).body.data
  const [duplicate] = (await create(fields)).body.data.possible_duplicates
  assert.deepEqual(duplicate.reasons, ['same_name'])
  const { id, name, website, country, country_code, hq_city, industry_category, status, created_at } = earlier
  assert.deepEqual(duplicate.company, {
    ...{ id, name, website, country, country_code, hq_city, industry_category, status, created_at },
  })
})
