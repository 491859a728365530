import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { firstIdAt } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { readPipelineStats } from './pipeline.ts'

const DAY_MS = 86_400_000
let api: TestApp
let company_id: string
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  company_id = (await api.call('POST', '/api/companies', { name: 'Target' })).body.data.id
})
after(() => api.close())

const stats = async () => (await api.call('GET', '/api/stats/pipeline')).body.data
const change = (id: string, patch: object) => api.call('PATCH', `/api/dealflow/${id}`, patch)
const remove = (id: string) => api.call('DELETE', `/api/dealflow/${id}`)
const restore = (id: string) => api.call('POST', `/api/trash/${id}/restore`)

let created = 0
/** A deal, by default one that was created 20 days ago. */
async function create(fields: object, daysAgo = 20): Promise<string> {
  const { id } = (await api.call('POST', '/api/dealflow', { company_id, ...fields })).body.data
  const earlier = `${firstIdAt('df', new Date(Date.now() - daysAgo * DAY_MS))}${String(created++).padStart(16, '0')}`
  await sql`update dealflow set id = ${earlier} where id = ${id}`.execute(api.context.db)
  await sql`update activity set entity_id = ${earlier} where entity_id = ${id}`.execute(api.context.db)
  return earlier
}

/** Moves everything that has been recorded so far ten days into the past. */
async function passTenDays(): Promise<void> {
  await sql`update activity set "timestamp" = "timestamp" - interval '10 days'`.execute(api.context.db)
  await sql`update trash set deleted_at = deleted_at - interval '10 days'`.execute(api.context.db)
}

const EMPTY = {
  ...{ weighted_eur: 0, deals: 0, without_amount: 0, without_probability: 0 },
  week: { weighted_eur: 0, change_eur: 0, entered: 0, won: 0, lost: 0 },
}

test('an empty pipeline is worth nothing', async () => {
  assert.deepEqual(await stats(), EMPTY)
})

test('the pipeline is compared with its state a week ago, on every path that changes deals', async () => {
  const kept = await create({ amount_eur: 1_000_000.1, probability: 10 })
  const raised = await create({ amount_eur: 100, probability: 50 })
  const won = await create({ amount_eur: 1000, probability: 50 })
  const lost = await create({ amount_eur: 2000, probability: 50 })
  const held = await create({ amount_eur: 3000, probability: 50 })
  const deleted = await create({ amount_eur: 4000, probability: 50 })
  const restored = await create({ amount_eur: 5000, probability: 50 })
  const both = await create({ amount_eur: 6000, probability: 50 })
  const reopened = await create({ amount_eur: 7000, probability: 50, status: 'lost' })
  const gone = await create({ amount_eur: 9_000_000, probability: 90 })
  await remove(restored)
  await remove(gone)
  await change(kept, { amount_eur: 5 })
  await change(kept, { amount_eur: 1_000_000.1 })
  await passTenDays()
  const before = 100_000.01 + 50 + 500 + 1000 + 1500 + 2000 + 3000

  await change(raised, { amount_eur: 150 })
  await change(raised, { amount_eur: 200, probability: 60 })
  await change(won, { stage: 'closed_won', status: 'won' })
  await change(lost, { stage: 'closed_lost' })
  await change(held, { status: 'on_hold' })
  await remove(deleted)
  await restore(restored)
  await remove(both)
  await restore(both)
  await change(reopened, { status: 'active' })
  await create({ amount_eur: 8000, probability: 50 }, 1)
  const undone = await change(kept, { probability: null, amount_eur: null })
  assert.equal((await stats()).without_amount, 1)
  await api.call('POST', `/api/actions/${undone.headers['x-action-id']}/undo`, {})
  await remove(await create({ amount_eur: 1e9, probability: 100 }, 1))

  const now = 100_000.01 + 120 + 2500 + 3000 + 3500 + 4000
  const { week, ...present } = await stats()
  assert.deepEqual(present, { weighted_eur: now, deals: 6, without_amount: 0, without_probability: 0 })
  assert.deepEqual(week, {
    weighted_eur: before,
    change_eur: Math.round((now - before) * 100) / 100,
    // Restored, reopened, and new.
    ...{ entered: 3, won: 1, lost: 1 },
  })

  // In ten days, all of this is more than a week ago.
  const later = await readPipelineStats(api.context.db, new Date(Date.now() + 10 * DAY_MS))
  assert.deepEqual(later.week, { weighted_eur: now, change_eur: 0, entered: 0, won: 0, lost: 0 })
})

test('random changes of deals are taken back exactly', async (t) => {
  const random = loggedRandom(t)
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push(await create({ amount_eur: n * 1000, probability: n * 10 }))
  await passTenDays()
  const { weighted_eur } = (await stats()).week
  const trashed = new Set<string>()
  for (let n = 0; n < 60; n++) {
    const id = random(ids) as string
    if (trashed.has(id)) {
      await restore(id)
      trashed.delete(id)
    } else if (Math.random() < 0.2) {
      await remove(id)
      trashed.add(id)
    } else
      await change(id, {
        amount_eur: random([null, 1, 2500.5, 1e6]),
        probability: random([null, 0, 33, 100]),
        stage: random(['initial', 'meeting', 'closed_won', 'closed_lost']),
        status: random(['active', 'on_hold', 'won', 'lost']),
      })
  }
  const { week } = await stats()
  assert.ok(weighted_eur > 0)
  assert.equal(week.weighted_eur, weighted_eur)
})

test('deals without an amount or a probability are counted, and stages give a default probability', async () => {
  const before = await stats()
  await create({ stage: 'initial' })
  await create({ stage: 'initial', amount_eur: 100 })
  const config = (await api.call('GET', '/api/dealflow/stages/config')).body.data
  const withDefault = (default_probability: number | null) =>
    api.call('PUT', '/api/dealflow/stages/config', {
      stages: config.stages.map((stage: { key: string }) =>
        stage.key === 'initial' ? { ...stage, default_probability } : stage,
      ),
    })
  await withDefault(null)
  const without = await stats()
  assert.equal(without.without_amount - before.without_amount, 1)
  assert.ok(without.without_probability >= 1)
  await withDefault(25)
  const { without_probability, weighted_eur } = await stats()
  assert.ok(without_probability < without.without_probability)
  assert.ok(weighted_eur >= without.weighted_eur + 25)
})
