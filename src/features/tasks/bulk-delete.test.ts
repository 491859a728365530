import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { as, ok, refused, tasksOf } from './tasks.fixture.ts'

const ben = 'ben@example.com'
let api: TestApp
before(async () => {
  api = await testApp({ ENFORCE_ROLES: 'true' })
  for (const email of [ada, ben]) ok(await api.call('GET', `/api/users/${email}`))
})
after(() => api.close())

const { task, titles, undo } = tasksOf(() => api)
const remove = (ids: string[], email = ada): Promise<Answer> =>
  api.call('DELETE', '/api/tasks', { ids }, as(email))

test('many tasks are deleted as one action, or none, and come back with an undo', async () => {
  const own = [(await task({ title: 'One' })).id, (await task({ title: 'Two' })).id]
  assert.match(refused(await remove([...own, 'tsk_none'])), /^ids must be ids of tasks/)
  assert.match(refused(await remove([])), /^ids /)
  assert.match(refused(await remove(own, ben), 403), /permission/)
  assert.deepEqual((await titles('assignee=me')).toSorted(), ['One', 'Two'])
  const removed = await remove([...own, own[0]])
  assert.equal(removed.status, 204)
  assert.deepEqual(await titles('assignee=me'), [])
  assert.equal((await undo(removed)).reverted, 2)
  assert.deepEqual((await titles('assignee=me')).toSorted(), ['One', 'Two'])
})
