import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  await api.call('GET', `/api/users/${ada}`)
})
after(() => api.close())

const MAX_FILTER_BYTES = 32_000
const named = (value: string[]) => ({ field: 'name', op: 'in', value })

/** Saves views as they could be saved when their filters were limited in characters. */
const insertViews = (name: string, count: number, filter: object) =>
  sql`insert into views (id, entity, name, owner_email, visibility, content, created_at, updated_at)
    select ${`view_${name}`} || n, 'company', ${name}, ${ada}, 'private', ${JSON.stringify({ filter })}::json, now(), now()
    from generate_series(1, ${count}::int) n`.execute(api.context.db)

test('a page of views of more than 16 MB is refused before it is built, a shorter one is not', async () => {
  await insertViews('cjk', 200, named(Array.from({ length: 15 }, (_, n) => `${n} ${'株'.repeat(1980)}`)))
  const large = await api.call('GET', '/api/views')
  assert.equal(large.status, 400)
  assert.match(large.body.details, /^limit must be lower: .* 16 MB/)
  const page = await api.call('GET', '/api/views?limit=50')
  assert.equal(page.status, 200)
  assert.equal(page.body.data.length, 50)
  assert.equal(page.body.pagination.total, 200)
  assert.deepEqual(page.body.data[0].applied.filter, page.body.data[0].filter)
  await sql`delete from views`.execute(api.context.db)
})

test('the descriptions of missing fields count toward the limit', async () => {
  const leaf = { field: 'tags', op: 'in', value: Array.from({ length: 1000 }, (_, n) => n.toString(36)) }
  const tags = {
    or: Array.from({ length: 6 }, (_, n) => ({ ...leaf, value: leaf.value.map((tag) => `${n}${tag}`) })),
  }
  await insertViews('tags', 60, tags)
  const one = await api.call('GET', '/api/views?limit=1')
  assert.equal(one.body.data[0].missing.length, 6000)
  const all = await api.call('GET', '/api/views')
  assert.equal(all.status, 400)
  assert.match(all.body.details, /^limit must be lower/)
  await sql`delete from views`.execute(api.context.db)
})

test('the size of a filter of a view is that of UTF-8', async () => {
  const save = (value: string[]) =>
    api.call('POST', '/api/views', { entity: 'company', name: 'Long', filter: named(value) })
  const { status, body } = await save(Array.from({ length: 6 }, (_, n) => `${n}${'株'.repeat(1900)}`))
  assert.equal(status, 400)
  assert.match(body.details, /^filter must be at most 32000 bytes of JSON, not \d+\.$/)
  const fits = Array.from({ length: 16 }, (_, n) => `${n}${'x'.repeat(1960)}`)
  assert.ok(JSON.stringify(named(fits)).length < MAX_FILTER_BYTES)
  assert.equal((await save(fits)).status, 201)
})
