import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Filter } from '#src/platform/filter/schema.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'

const LOS_ANGELES = { email: 'lou@example.com', zone: 'America/Los_Angeles' }
const AUCKLAND = { email: 'aroha@example.com', zone: 'Pacific/Auckland' }
const WORKSPACE = { email: 'wim@example.com', zone: 'Europe/Berlin' }
const PEOPLE = [LOS_ANGELES, AUCKLAND, WORKSPACE]
type Person = (typeof PEOPLE)[number]

let api: TestApp
before(async () => {
  api = await testApp({ TIME_ZONE: WORKSPACE.zone })
  for (const { email, zone } of [LOS_ANGELES, AUCKLAND]) {
    const body = { preferences: { time_zone: zone } }
    assert.equal((await as({ email, zone }, 'PATCH', `/api/users/${email}`, body)).status, 200)
  }
})
after(() => api.close())

const as = ({ email }: Person, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
  api.call(method, url, body, { headers: { 'x-user-email': email } })

/** The filter in a query. */
const asText = (filter: Filter) => encodeURIComponent(JSON.stringify(filter))

/** A company that was created at a moment, given as SQL. */
async function companyFrom(name: string, moment: ReturnType<typeof sql>): Promise<string> {
  const { id } = (await api.call('POST', '/api/companies', { name })).body.data
  await sql`update companies set created_at = ${moment} where id = ${id}`.execute(api.context.db)
  return id
}

/** Midnight at the beginning of today, as PostgreSQL computes it. */
const midnight = ({ zone }: Person) =>
  sql`(date_trunc('day', now() at time zone ${zone}) at time zone ${zone})`

test("today is the person's day in every list, and the workspace's for others", async () => {
  for (const person of PEOPLE) {
    const ids = [
      await companyFrom(`Yesterday ${person.zone}`, sql`${midnight(person)} - interval '1 second'`),
      await companyFrom(`Today ${person.zone}`, sql`${midnight(person)}`),
    ]
    for (const [value, expected] of [
      ['-1d', [ids[0]]],
      ['today', [ids[1]]],
    ] as const) {
      const filter: Filter = {
        and: [
          { field: 'created_at', op: 'eq', value },
          { field: 'id', op: 'in', value: ids },
        ],
      }
      const listed = await as(person, 'GET', `/api/companies?filter=${asText(filter)}`)
      assert.deepEqual(
        listed.body.data.map(({ id }: { id: string }) => id),
        expected,
        `${person.zone} ${value}`,
      )
      const queried = await as(person, 'POST', '/api/companies/query', { filter })
      assert.equal(queried.body.pagination.total, 1)
      const facets = await as(person, 'GET', `/api/companies/facets?filter=${asText(filter)}`)
      assert.equal(facets.body.data.total, 1)
      const csv = await as(person, 'GET', `/api/companies/export?filter=${asText(filter)}`)
      assert.match(csv.body, value === 'today' ? /Today/ : /Yesterday/)
      assert.doesNotMatch(csv.body, value === 'today' ? /Yesterday/ : /Today/)
      const changed = await as(person, 'PATCH', '/api/companies', {
        filter,
        expect: 1,
        changes: { status: 'inactive' },
      })
      assert.equal(changed.body.data.updated, 1)
      const content = { entity: 'company', name: `${person.zone} ${value}`, filter }
      const view = await as(person, 'POST', '/api/views', content)
      const seen = await as(person, 'POST', `/api/views/${view.body.data.id}/seen`)
      assert.equal(seen.body.data.records, 1)
      const body = { action_type: 'enrich_profile', filter, expect: 1 }
      assert.equal((await as(person, 'POST', '/api/bulk-actions', body)).status, 201)
    }
  }
})

test('a date of an instant means that day in the zone, on days of 23 and 25 hours too', async () => {
  const created: Record<string, string> = {}
  for (const moment of [
    '2026-03-08T07:59:59.999Z',
    '2026-03-08T08:00:00Z',
    '2026-03-09T06:59:59.999Z',
    '2026-03-09T07:00:00Z',
    '2026-11-01T07:00:00Z',
    '2026-11-02T07:59:59.999Z',
    '2026-11-02T08:00:00Z',
  ])
    created[await companyFrom(moment, sql`${moment}::timestamptz`)] = moment
  const on = async (op: 'eq' | 'gt' | 'lt', value: string, person = LOS_ANGELES) => {
    const filter: Filter = {
      and: [
        { field: 'created_at', op, value },
        { field: 'id', op: 'in', value: Object.keys(created) },
      ],
    }
    const { body } = await as(person, 'POST', '/api/companies/query', { filter })
    return body.data.map(({ id }: { id: string }) => created[id]).sort()
  }
  assert.deepEqual(await on('eq', '2026-03-08'), ['2026-03-08T08:00:00Z', '2026-03-09T06:59:59.999Z'])
  assert.deepEqual(await on('lt', '2026-03-08'), ['2026-03-08T07:59:59.999Z'])
  assert.deepEqual(await on('eq', '2026-11-01'), ['2026-11-01T07:00:00Z', '2026-11-02T07:59:59.999Z'])
  assert.deepEqual(await on('gt', '2026-11-01'), ['2026-11-02T08:00:00Z'])
  assert.deepEqual(await on('eq', '2026-03-08', AUCKLAND), [
    '2026-03-08T07:59:59.999Z',
    '2026-03-08T08:00:00Z',
  ])
  // The ends of the calendar, which begin and end elsewhere than in UTC.
  assert.deepEqual(await on('lt', '0001-01-01', AUCKLAND), [])
  assert.deepEqual(await on('gt', '9999-12-31'), [])
})

test("dates without a time are compared with the person's day", async () => {
  const field = { entity: 'company', label: 'Next board', type: 'date' }
  const { key } = (await api.call('POST', '/api/fields', field)).body.data
  for (const person of PEOPLE) {
    const { rows } = await sql<{ day: string }>`
      select to_char(now() at time zone ${person.zone}, 'YYYY-MM-DD') as day`.execute(api.context.db)
    const day = rows[0]?.day
    const name = `Board ${person.zone}`
    await api.call('POST', '/api/companies', { name, custom: { [key]: day } })
    const filter = {
      and: [
        { field: `custom.${key}`, op: 'eq', value: 'today' },
        { field: 'name', op: 'eq', value: name },
      ],
    }
    assert.equal((await as(person, 'POST', '/api/companies/query', { filter })).body.pagination.total, 1)
  }
})

test('deals, theses, activity and deletions count the same days', async () => {
  const company_id = await companyFrom('Deals', sql`now()`)
  const { id: deal } = (await api.call('POST', '/api/dealflow', { company_id })).body.data
  const { id: thesis } = (await api.call('POST', '/api/theses', { code: 'TZ', title: 'Zones' })).body.data
  for (const person of [LOS_ANGELES, AUCKLAND]) {
    const moment = sql`${midnight(person)} - interval '1 second'`
    await sql`update dealflow set created_at = ${moment} where id = ${deal}`.execute(api.context.db)
    await sql`update theses set created_at = ${moment} where id = ${thesis}`.execute(api.context.db)
    await sql`update activity set "timestamp" = ${moment} where entity_id = ${thesis}`.execute(api.context.db)
    for (const [path, field] of [
      ['/api/dealflow', 'created_at'],
      ['/api/theses', 'created_at'],
      [`/api/activity?entity_id=${thesis}`, 'timestamp'],
    ] as const) {
      const total = async (value: string) => {
        const filter = asText({ field, op: 'eq', value })
        const { body } = await as(person, 'GET', `${path}${path.includes('?') ? '&' : '?'}filter=${filter}`)
        return body.pagination.total
      }
      assert.deepEqual([await total('-1d'), await total('today')], [1, 0], `${person.zone} ${path}`)
    }
    const stages = await as(
      person,
      'GET',
      `/api/dealflow/stages?filter=${asText({ field: 'created_at', op: 'eq', value: 'today' })}`,
    )
    assert.ok(stages.body.data.every(({ deals }: { deals: number }) => deals === 0))
  }
  const filter = {
    and: [
      { field: 'created_at', op: 'eq', value: '-1d' },
      { field: 'id', op: 'eq', value: company_id },
    ],
  }
  const moment = sql`${midnight(AUCKLAND)} - interval '1 second'`
  await sql`update companies set created_at = ${moment} where id = ${company_id}`.execute(api.context.db)
  assert.equal((await as(AUCKLAND, 'DELETE', '/api/companies', { filter, expect: 1 })).status, 204)
})

test('a time zone is a name that the service knows; null returns to that of the workspace', async () => {
  const url = `/api/users/${LOS_ANGELES.email}`
  for (const time_zone of ['Mars/Olympus', '+02:00', 5]) {
    const { status, body } = await as(LOS_ANGELES, 'PATCH', url, { preferences: { time_zone } })
    assert.equal(status, 400, JSON.stringify(time_zone))
    assert.match(body.details, /preferences\.time_zone must be .*Europe\/Berlin/)
  }
  const read = await as(LOS_ANGELES, 'GET', url)
  assert.equal(read.body.data.preferences.time_zone, LOS_ANGELES.zone)
  assert.equal((await as(LOS_ANGELES, 'PATCH', url, read.body.data)).status, 200)
  const cleared = await as(LOS_ANGELES, 'PATCH', url, { preferences: { time_zone: null } })
  assert.equal('time_zone' in cleared.body.data.preferences, false)
  await sql`
    update users set preferences = '{"time_zone":"Nowhere"}' where email = ${LOS_ANGELES.email}`.execute(
    api.context.db,
  )
  const filter = asText({ field: 'created_at', op: 'eq', value: 'today' })
  assert.equal((await as(LOS_ANGELES, 'GET', `/api/companies?filter=${filter}`)).status, 200)
})
