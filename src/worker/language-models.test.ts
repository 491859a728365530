import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import {
  byModel,
  createCompany,
  detail,
  ended,
  endpoint,
  failuresOf,
  modelIsCalled,
  recordIn,
  run,
  start,
  startBeforeTests,
} from './language-models.fixture.ts'

startBeforeTests()

test('while its model is unavailable an action says what it is waiting for', async () => {
  let isDown = true
  endpoint.failWith = () => (isDown ? { status: 401 } : undefined)
  const id = await start(byModel, 'llm_score', [await createCompany(byModel, { name: 'Waits' })])
  const waiting = await ended(byModel, id, ({ waiting_for }) => waiting_for !== null)
  assert.match(waiting.waiting_for ?? '', /language model rejects the API key \(401\); check LLM_API_KEY/)
  isDown = false
  const { status, waiting_for } = await ended(byModel, id)
  assert.deepEqual([status, waiting_for], ['completed', null])
})

test('the remaining companies fail when the budget is used up, and can be retried with a higher one', async () => {
  const ids = []
  for (let n = 0; n < 12; n++) ids.push(await createCompany(byModel, { name: `Budget ${n}` }))
  const action = await run(byModel, 'llm_score', ids, { token_budget: 7 * 3 })
  const { calls, input_tokens, output_tokens } = action.usage
  assert.equal(action.status, 'completed')
  assert.ok(calls >= 3 && calls <= 3 + 2, `${calls} calls`)
  assert.equal(input_tokens + output_tokens, 7 * calls)
  assert.equal(action.processed_companies, calls)
  assert.match((await failuresOf(byModel, action)).flat().join(), /over_budget,The token budget/)
  await byModel.call('PATCH', `/api/bulk-actions/${action.id}`, { token_budget: null })
  await byModel.call('POST', `/api/bulk-actions/${action.id}/retry`)
  const again = await ended(byModel, action.id)
  assert.deepEqual([again.processed_companies, again.usage.calls], [12, 12])
})

test('a used-up budget does not fail companies that need no call', async () => {
  const ids = [await createCompany(byModel, { name: 'Scored before' })]
  await run(byModel, 'llm_score', ids)
  for (let n = 0; n < 5; n++) ids.push(await createCompany(byModel, { name: `Not yet ${n}` }))
  const id = await start(byModel, 'llm_score', ids, { token_budget: 1 })
  const { processed_companies, failed_companies } = await ended(byModel, id)
  assert.equal(processed_companies + failed_companies, 6)
  const { body } = await byModel.call('GET', `/api/bulk-actions/${id}/companies?state=failed`)
  assert.ok(!body.data.some(({ company_id }: { company_id: string }) => company_id === ids[0]))
})

test('an outage of the model during an action fails no company', async () => {
  let isDown = true
  // The first three are scored.
  endpoint.failWith = () => (isDown && endpoint.requests.length > 3 ? { cut: true } : undefined)
  const ids = []
  for (let n = 0; n < 9; n++) ids.push(await createCompany(byModel, { name: `Away ${n}` }))
  const id = await start(byModel, 'llm_score', ids)
  const waiting = await ended(byModel, id, ({ waiting_for }) => waiting_for !== null)
  assert.match(waiting.waiting_for ?? '', /language model cannot be reached/)
  await ended(byModel, id, (action) => action.processed_companies === 3)
  isDown = false
  const { processed_companies, failed_companies } = await ended(byModel, id)
  assert.deepEqual([processed_companies, failed_companies], [9, 0])
})

test('an action whose model rejects every question ends, keeps its companies pending, and can be retried', async () => {
  let isRejecting = true
  endpoint.failWith = () => (isRejecting ? { status: 400, message: 'This model is retired.' } : undefined)
  const ids = []
  for (let n = 0; n < 30; n++) ids.push(await createCompany(byModel, { name: `Left ${n}` }))
  const before = endpoint.requests.length
  const { status, processed_companies, failed_companies, error_summary, id } = await run(
    byModel,
    'llm_score',
    ids,
  )
  assert.deepEqual([status, processed_companies, failed_companies], ['failed', 0, 0])
  const { count, example } = error_summary.stopped as { count: number; example: { message: string } }
  assert.equal(count, 30)
  assert.match(example.message, /^The language model rejected the text \(400: This model is retired\.\)/)
  assert.ok(endpoint.requests.length - before < 60, `${endpoint.requests.length - before} requests`)
  isRejecting = false
  await byModel.call('POST', `/api/bulk-actions/${id}/retry`)
  const again = await ended(byModel, id)
  assert.deepEqual([again.status, again.processed_companies, again.error_summary], ['completed', 30, {}])
})

test('a cancelled action is dropped at once even while its model hangs, and its results are discarded', async () => {
  endpoint.failWith = () => ({ delay: 60_000 })
  const company = await createCompany(byModel, { name: 'Hangs' })
  const id = await start(byModel, 'llm_score', [company])
  await modelIsCalled()
  await byModel.call('PATCH', `/api/bulk-actions/${id}`, { status: 'cancelled' })
  endpoint.failWith = () => undefined
  const others = []
  for (let n = 0; n < 3; n++) others.push(await createCompany(byModel, { name: `Next ${n}` }))
  assert.equal((await run(byModel, 'llm_score', others)).processed_companies, 3)
  assert.equal((await detail(byModel, company)).company.llm_score_overall, null)
})

test('an action that an external worker reports on is dropped at once, and later results are discarded', {
  skip: slow,
}, async () => {
  endpoint.failWith = () => ({ delay: 60_000 })
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.push(await createCompany(byModel, { name: `Taken over ${n}` }))
  const id = await start(byModel, 'llm_score', ids)
  await eventually(() => assert.ok(endpoint.requests.length >= 3))
  const report = { status: 'running', processed_companies: 4 }
  const reported = await byModel.call('PATCH', `/api/bulk-actions/${id}`, report, { headers: {} })
  assert.equal(reported.status, 200)
  endpoint.failWith = () => undefined
  endpoint.requests.length = 0
  const others: string[] = []
  for (let n = 0; n < 3; n++) others.push(await createCompany(byModel, { name: `Next ${n}` }))
  assert.equal((await run(byModel, 'llm_score', others)).processed_companies, 3)
  assert.equal(endpoint.requests.length, 3)
  const left = (await byModel.call('GET', `/api/bulk-actions/${id}`)).body.data
  assert.deepEqual(left, reported.body.data)
  for (const company of ids) assert.equal((await detail(byModel, company)).company.llm_score_overall, null)
  await byModel.call('POST', `/api/bulk-actions/${id}/retry`)
  const { status, processed_companies, usage } = await ended(byModel, id)
  assert.deepEqual([status, processed_companies, usage.calls], ['completed', 12, 8])
})

test('a retry during an action calls the model once per company', async () => {
  endpoint.failWith = (request) =>
    recordIn(request).name === 'Fails' && isFailing ? { status: 400 } : { delay: 150 }
  let isFailing = true
  const ids = [await createCompany(byModel, { name: 'Fails' })]
  for (let n = 0; n < 8; n++) ids.push(await createCompany(byModel, { name: `Once ${n}` }))
  const id = await start(byModel, 'llm_score', ids)
  await ended(byModel, id, ({ failed_companies }) => failed_companies === 1)
  isFailing = false
  await byModel.call('POST', `/api/bulk-actions/${id}/retry`)
  const { processed_companies, usage } = await ended(byModel, id)
  assert.deepEqual([processed_companies, usage.calls], [9, 9])
  const requested = endpoint.requests.filter(({ messages }) => messages.length === 2)
  assert.equal(requested.filter((request) => /^Once/.test(recordIn(request)?.name ?? '')).length, 8)
})
