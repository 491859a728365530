import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { whenBlocked } from '#src/testing/locks.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'

/** The test makes this many changes. */
const CHANGES = Number(process.env.VIEW_CHANGES ?? 300)
const SEED = Number(process.env.TEST_SEED ?? 7)
const DAY_MS = 86_400_000

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  await api.call('GET', `/api/users/${ada}`)
  await api.call('POST', '/api/fields', { entity: 'company', label: 'Due', key: 'due', type: 'date' })
})
after(() => api.close())

let state = SEED
const random = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return state / 2 ** 31
}
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

/** The day that is this many days from today. */
const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** The filter of the view. `isShown` says the same by the rules of this test alone. */
const FILTER = {
  or: [
    {
      and: [
        { field: 'status', op: 'eq', value: 'active' },
        { field: 'tags', op: 'in', value: ['x', 'y'] },
        { field: 'created_at', op: 'gte', value: '-20d' },
      ],
    },
    { field: 'custom.due', op: 'between', value: ['-3d', '+1w'] },
    { field: 'custom.due', op: 'gte', value: '2999-06-01' },
    { not: { field: 'owner_email', op: 'is_empty' } },
  ],
}

interface Company {
  id: string
  name: string
  status: string
  tags: string[]
  owner_email: string | null
  custom: { due?: string }
  created_at: Date
  /** The transaction that wrote it. */
  xmin: string
}

function isShown({ name, status, tags, owner_email, custom: { due }, created_at }: Company): boolean {
  if (!name.startsWith('Random')) return false
  if (owner_email !== null) return true
  if (due !== undefined && ((due >= day(-3) && due <= day(7)) || due >= '2999-06-01')) return true
  const isTagged = tags.includes('x') || tags.includes('y')
  return status === 'active' && isTagged && new Date(created_at).toISOString() >= day(-20)
}

async function readCompanies(): Promise<Company[]> {
  const { rows } = await sql<Company>`
    select id, name, status, tags, owner_email, custom, created_at, xmin::text from companies order by id desc`.execute(
    api.context.db,
  )
  return rows
}

const shownIds = async (): Promise<string[]> => (await readCompanies()).filter(isShown).map(({ id }) => id)

async function readTrashed(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from trash where parent_id is null order by id`.execute(api.context.db)
  return rows.map(({ id }) => id)
}

const actions: string[] = []

/** Remembers the action, so that it can be undone. */
function done({ status, headers, body }: Answer): void {
  assert.ok(status < 300 || status === 409, `${status} ${JSON.stringify(body)}`)
  if (headers['x-action-id']) actions.push(String(headers['x-action-id']))
}

const randomFields = () => ({
  status: pick(['active', 'inactive']),
  tags: pick([[], ['x'], ['y', 'z'], ['z']]),
  owner_email: pick([null, null, null, null, ada]),
  custom: { due: pick([null, null, day(-40), day(-2), day(6), day(12), '2999-01-01', '2999-12-31']) },
})

const create = async () =>
  done(await api.call('POST', '/api/companies', { name: `Random ${state}`, ...randomFields() }))

/** What is done to one or two of the companies. */
const CHANGE_ONE: ((id: string, other: string) => Promise<Answer>)[] = [
  (id) => api.call('PATCH', `/api/companies/${id}`, randomFields()),
  (id) => api.call('PATCH', `/api/companies/${id}`, { name: pick(['Random again', 'Other']) }),
  (id, other) => {
    const changes = pick([{ add_tags: ['x'] }, { remove_tags: ['x', 'y'] }])
    return api.call('PATCH', '/api/companies', { ids: [id, other], changes })
  },
  (id) => api.call('DELETE', `/api/companies/${id}`),
  (id, other) => api.call('POST', `/api/companies/${id}/merge`, { from: [other] }),
]

async function changeAny(): Promise<void> {
  const kind = random()
  const companies = await readCompanies()
  if (kind < 0.12 || companies.length < 4) return create()
  if (kind < 0.2) {
    const trashed = await readTrashed()
    if (trashed.length > 0) done(await api.call('POST', `/api/trash/${pick(trashed)}/restore`))
    return
  }
  if (kind < 0.3) {
    const [action] = actions.splice(Math.floor(random() * actions.length), 1)
    if (action) done(await api.call('POST', `/api/actions/${action}/undo`, {}))
    return
  }
  const [id, other] = [pick(companies).id, pick(companies).id]
  if (id !== other) done(await pick(CHANGE_ONE)(id, other))
}

const names = async (id: string) =>
  (await api.call('GET', `/api/views/${id}/new`)).body.data.map(({ name }: { name: string }) => name)
const untilOf = async (id: string) =>
  encodeURIComponent((await api.call('GET', `/api/views/${id}/new?limit=0`)).body.until)
const created = async (name: string, more = {}) =>
  (await api.call('POST', '/api/companies', { name, ...more })).body.data.id

test('what entered or changed after the list was read stays new', async () => {
  const view = { entity: 'company', name: 'Swiss', filter: { field: 'country_code', op: 'eq', value: 'CH' } }
  const seenBefore = await created('Seen before', { country_code: 'CH' })
  const { id } = (await api.call('POST', '/api/views', view)).body.data
  const changed = await created('Changed', { country_code: 'CH' })
  const moving = await created('Moving', { country_code: 'AT' })
  await created('Shown', { country_code: 'CH' })
  const until = await untilOf(id)
  await created('Created later', { country_code: 'CH' })
  await api.call('PATCH', `/api/companies/${moving}`, { country_code: 'CH' })
  for (const company of [changed, seenBefore])
    await api.call('PATCH', `/api/companies/${company}`, { hq_city: 'Bern' })
  const { body } = await api.call('POST', `/api/views/${id}/seen?until=${until}`)
  assert.equal(body.data.records, 2)
  assert.deepEqual((await names(id)).sort(), ['Changed', 'Created later', 'Moving'])

  // An older moment, from another tab, does not make anything new again.
  await api.call('POST', `/api/views/${id}/seen`)
  await api.call('POST', `/api/views/${id}/seen?until=${until}`)
  assert.deepEqual(await names(id), [])

  // Nor does a moment mark what a filter has added since.
  const before = await untilOf(id)
  await created('Elsewhere', { country_code: 'LI' })
  const wider = { filter: { field: 'country_code', op: 'in', value: ['CH', 'LI'] } }
  await api.call('PATCH', `/api/views/${id}`, wider, {
    headers: { 'x-user-email': ada, 'if-match': '*' },
  })
  await api.call('POST', `/api/views/${id}/seen?until=${before}`)
  assert.deepEqual(await names(id), ['Elsewhere'])
})

test('what a request with an Idempotency-Key was changing when the list was read stays new', {
  skip: !testServer && 'The embedded database has one connection.',
}, async () => {
  const { db } = api.context
  const view = { entity: 'company', name: 'French', filter: { field: 'country_code', op: 'eq', value: 'FR' } }
  const { id } = (await api.call('POST', '/api/views', view)).body.data
  const company = await created('Moving to France')
  const change = async () =>
    api.call(
      'PATCH',
      `/api/companies/${company}`,
      { country_code: 'FR' },
      {
        headers: { 'x-user-email': ada, 'if-match': '*', 'idempotency-key': 'move' },
      },
    )
  const { until, changed } = await db.transaction().execute(async (transaction) => {
    await sql`lock table activity in share mode`.execute(transaction)
    const changed = change()
    await whenBlocked(transaction, /update companies/)
    // A transaction that began later has ended.
    await sql`select pg_current_xact_id()`.execute(db)
    return { until: await untilOf(id), changed }
  })
  assert.equal((await changed).status, 200)
  assert.equal((await api.call('POST', `/api/views/${id}/seen?until=${until}`)).body.data.records, 0)
  assert.deepEqual(await names(id), ['Moving to France'])
})

test('a view whose filter reads deals keeps everything new that a deal may have brought in', async () => {
  const view = { entity: 'company', name: 'With deals', filter: { field: 'has_deal', op: 'eq', value: true } }
  const { id } = (await api.call('POST', '/api/views', view)).body.data
  const [shown, later] = [await created('Shown'), await created('Later')]
  await api.call('POST', '/api/dealflow', { company_id: shown })
  const until = await untilOf(id)
  await api.call('POST', `/api/views/${id}/seen?until=${until}`)
  assert.deepEqual(await names(id), [])
  const next = await untilOf(id)
  await api.call('POST', '/api/dealflow', { company_id: later })
  await api.call('POST', `/api/views/${id}/seen?until=${next}`)
  assert.deepEqual(await names(id), ['Later'])
})

test('a view of deals whose filter reads companies keeps deals new that entered because their company changed', async () => {
  const filter = { field: 'company_country_code', op: 'eq', value: 'IS' }
  const { id } = (await api.call('POST', '/api/views', { entity: 'deal', name: 'In Iceland', filter })).body
    .data
  const company_id = await created('Moves')
  const deal = (await api.call('POST', '/api/dealflow', { company_id })).body.data.id
  await api.call('POST', `/api/views/${id}/seen`)
  const until = await untilOf(id)
  await api.call('PATCH', `/api/companies/${company_id}`, { country_code: 'IS' })
  await api.call('POST', `/api/views/${id}/seen?until=${until}`)
  const { body } = await api.call('GET', `/api/views/${id}/new?limit=0`)
  assert.deepEqual([body.data, body.ids, body.pagination.total], [[], [deal], 1])
})

test('a record that entered as a day passed stays new', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const due = { custom: { due: day(2) } }
  const filter = { field: 'custom.due', op: 'lte', value: '+1d' }
  const { id } = (await api.call('POST', '/api/views', { entity: 'company', name: 'Due', filter })).body.data
  await created('Due', due)
  const until = await untilOf(id)
  t.mock.timers.setTime(Date.now() + DAY_MS)
  await api.call('POST', `/api/views/${id}/seen?until=${until}`)
  assert.deepEqual(await names(id), ['Due'])
  await api.call('POST', `/api/views/${id}/seen?until=${await untilOf(id)}`)
  assert.deepEqual(await names(id), [])
})

test('a moment that the service has not returned is refused', async () => {
  const view = { entity: 'thesis', name: 'Theses' }
  const { id } = (await api.call('POST', '/api/views', view)).body.data
  for (const until of [
    'now',
    '2026-03-02',
    '2026-03-02T09:30:00.000Z',
    '2026-03-02T09:30:00.000Z~9:8:',
    'x~1:1:',
  ]) {
    const { status, body } = await api.call(
      'POST',
      `/api/views/${id}/seen?until=${encodeURIComponent(until)}`,
    )
    assert.equal(status, 400)
    assert.match(body.details, /^until must be what GET \/api\/views\/:id\/new has returned, not "/)
  }
  // Of a database with more transactions: nothing is known about it.
  const foreign = encodeURIComponent(`${new Date().toISOString()}~999999999999:999999999999:`)
  await api.call('POST', '/api/theses', { code: 'NEW', title: 'New' })
  assert.equal((await api.call('POST', `/api/views/${id}/seen?until=${foreign}`)).body.data.records, 0)
})

const markedIds = async (id: string): Promise<string[]> => {
  const { rows } = await sql<{ ids: string[] }>`select ids from view_looks where view_id = ${id}`.execute(
    api.context.db,
  )
  return rows[0]?.ids ?? []
}

const xminOfView = async (id: string): Promise<string> => {
  const { rows } = await sql<{ xmin: string }>`select xmin::text from views where id = ${id}`.execute(
    api.context.db,
  )
  return rows[0]?.xmin ?? ''
}

/**
 * Whether these transactions were older than any that ran at a moment. Of others, less is known: while a transaction runs on
 * the same server, in whatever database, what may be new stays new.
 */
function isBefore(until: string, ...xmins: string[]): boolean {
  const oldestRunning = Number(until.split('~')[1]?.split(':')[0])
  return xmins.every((xmin) => Number(xmin) < oldestRunning)
}

test(`the new records are correct after ${CHANGES} random changes, and as days pass (seed ${SEED})`, {
  skip: slow,
}, async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const view = { entity: 'company', name: 'Random', filter: FILTER, search: 'random' }
  const { id } = (await api.call('POST', '/api/views', view)).body.data
  const viewXmin = await xminOfView(id)
  let seen = new Set(await shownIds())
  let read: { until: string; versions: Map<string, string> } | undefined
  const entered = { byChange: 0, byTime: 0 }
  for (let n = 0; n < CHANGES; n++) {
    const isNextDay = random() < 0.05
    t.mock.timers.setTime(Date.now() + (isNextDay ? DAY_MS : 10))
    if (!isNextDay) await changeAny()
    if (!isNextDay && random() < 0.75) continue
    const now = await shownIds()
    const expected = now.filter((shown) => !seen.has(shown))
    const { body } = await api.call('GET', `/api/views/${id}/new?limit=1000`)
    assert.deepEqual(
      body.data.map((company: Company) => company.id),
      expected,
      `change ${n}`,
    )
    assert.equal(body.pagination.total, expected.length)
    entered[isNextDay ? 'byTime' : 'byChange'] += expected.length
    if (random() < 0.5) continue
    const companies = await readCompanies()
    const previously = read
    read = {
      until: body.until,
      versions: new Map(companies.filter(isShown).map((company) => [company.id, company.xmin])),
    }
    // Sometimes, the list that was seen was read earlier.
    const isEarlier = previously !== undefined && random() < 0.5
    const until = isEarlier ? `?until=${encodeURIComponent(previously.until)}` : ''
    const { records } = (await api.call('POST', `/api/views/${id}/seen${until}`)).body.data
    const marked = new Set(await markedIds(id))
    assert.equal(records, marked.size)
    const shown = isEarlier ? companies.filter(isShown) : []
    const isSame = ({ id, xmin }: Company) => previously?.versions.get(id) === xmin
    const wasSeen = shown.filter((company) => seen.has(company.id) || isSame(company))
    const isProven = ({ xmin }: Company) =>
      previously !== undefined && isBefore(previously.until, xmin, viewXmin)
    const mustBe = wasSeen.filter((company) => seen.has(company.id) || isProven(company))
    const [most, least] = isEarlier ? [wasSeen, mustBe].map((all) => all.map(({ id }) => id)) : [now, now]
    assert.ok(marked.isSubsetOf(new Set(most)), `change ${n}: what was not seen is marked`)
    assert.ok(marked.isSupersetOf(new Set(least)), `change ${n}: what was seen is not marked`)
    seen = marked
  }
  assert.ok(entered.byChange > 0 && entered.byTime > 0, JSON.stringify(entered))
})
