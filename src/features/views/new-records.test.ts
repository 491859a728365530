import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

/** The test makes this many changes. */
const CHANGES = Number(process.env.VIEW_CHANGES ?? 1000)
const SEED = Number(process.env.VIEW_SEED ?? 7)
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
    select id, name, status, tags, owner_email, custom, created_at from companies order by id desc`.execute(
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

test(`what is new is right after ${CHANGES} random changes, and as days pass (seed ${SEED})`, async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const view = { entity: 'company', name: 'Random', filter: FILTER, search: 'random' }
  const { id } = (await api.call('POST', '/api/views', view)).body.data
  let seen = new Set(await shownIds())
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
    assert.equal((await api.call('POST', `/api/views/${id}/seen`)).body.data.records, now.length)
    seen = new Set(now)
  }
  assert.ok(entered.byChange > 0 && entered.byTime > 0, JSON.stringify(entered))
})
