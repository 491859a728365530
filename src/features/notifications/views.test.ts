import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ADA, BEN, EVA, type Fields, peopleOf } from './notifications.fixture.ts'
import { notifyOfViews } from './views.ts'

let api: TestApp
const { addUsers, company, create, list, send, told } = peopleOf(() => api)
before(async () => {
  api = await testApp({ WORKER: 'off' })
  await addUsers()
})
after(() => api.close())

const watch = () => {
  const { backgroundDb: db, filterCaller, log } = api.context
  return notifyOfViews({ db, filterCaller, log }, new AbortController().signal)
}
const german = { field: 'country_code', op: 'eq', value: 'DE' }
const view = (name: string, email: string, fields: Fields = {}) =>
  create('/api/views', { entity: 'company', name, filter: german, ...fields }, email)

test('a view of mine has records that I have not seen: once for each time that I have looked', async () => {
  const { id } = await view('Germany', BEN)
  await view('Shared', EVA, { visibility: 'shared' })
  await watch()
  assert.deepEqual(await told(BEN), [])
  await company('Loomworks', { country_code: 'DE' })
  await company('Elsewhere', { country_code: 'FR' })
  await company('My own', { country_code: 'DE' })
  await watch()
  const [{ subject, count, details, about, path: _path }] = (await list(BEN)).data
  assert.deepEqual(
    [subject, count, details, about],
    [{ type: 'view', id, name: 'Germany' }, 2, { entity: 'company' }, []],
  )
  assert.deepEqual(await told(BEN), ['2 new companies in your view Germany'])
  assert.deepEqual(await told(EVA), ['2 new companies in your view Shared'])
  await company('Another', { country_code: 'DE' })
  await watch()
  assert.deepEqual(await told(BEN), [], 'not before the view was opened')
  await send('POST', `/api/views/${id}/seen`, undefined, BEN)
  await watch()
  assert.deepEqual(await told(BEN), [])
  await company('New', { country_code: 'DE' })
  await watch()
  await watch()
  assert.deepEqual(await told(BEN), ['1 new company in your view Germany'])
})

test('what the user has changed is no news, nor is what has changed in other kinds of records', async () => {
  await view('Mine', ADA)
  await watch()
  await company('By Ada', { country_code: 'DE' })
  await create('/api/people', { name: 'Ida Lund' }, BEN)
  await watch()
  assert.deepEqual(await told(ADA), [])
})

test('a view with a broken filter, or that was deleted, stops no other', async () => {
  await send('DELETE', `/api/views/${(await view('Deleted', BEN)).id}`, undefined, BEN)
  const broken = await view('Broken', BEN)
  await sql`
    update views set content = jsonb_set(content::jsonb, '{filter}', '{"field":"country_code","op":"gt","value":"DE"}')
    where id = ${broken.id}`.execute(api.context.db)
  const good = await view('Good', BEN)
  await company('Fine', { country_code: 'DE' }).then(() => watch())
  const names = (await list(BEN)).data.map(({ subject }: Fields) => subject.name)
  assert.ok(names.includes('Good'), String(names))
  await send('DELETE', `/api/views/${good.id}`, undefined, BEN)
  assert.ok(!(await told(BEN)).join().includes('Good'))
})
