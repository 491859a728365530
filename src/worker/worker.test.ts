import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { wordVector } from '#dev/embedding-endpoint.ts'
import { ended } from '#dev/processes.ts'
import { slow } from '#src/testing/slow.ts'
import {
  byEndpoint,
  byLanguageModel,
  endpoint,
  folder,
  hasEnded,
  holdAfter,
  importCompanies,
  languageModel,
  postgresOnly,
  rowsOf,
  setUp,
  startAction,
  startBeforeTests,
  until,
} from './worker.fixture.ts'

startBeforeTests()

test('the service runs a worker itself and reports progress', async () => {
  const deployment = await setUp('own', { WORKER: 'in-process' })
  const ids = await importCompanies(deployment.client, 350)
  const id = await startAction(deployment.client, ids)
  const text = await new Response(await deployment.client.getBulkActionEvents({ params: { id } })).text()
  assert.match(
    text,
    /event: end\ndata: .*"status":"completed".*"processed_companies":350,"failed_companies":0/,
  )
  await deployment.stop()
})

test('actions that need a model wait until the service restarts with one', { skip: slow }, async () => {
  const withoutModels = { WORKER: 'in-process', LLM: 'off', EMBEDDINGS: 'off' }
  const deployment = await setUp('without-models', withoutModels)
  const { client } = deployment
  const ids = await importCompanies(client, 30)
  const actions: string[] = []
  for (const type of ['generate_embeddings', 'llm_score', 'enrich_profile'] as const)
    actions.push(await startAction(client, ids, 50, type))
  const read = () =>
    Promise.all(actions.map(async (id) => (await client.getBulkAction({ params: { id } })).data))
  const waiting = await read()
  for (const { status, waiting_for } of waiting) {
    assert.equal(status, 'pending')
    assert.match(waiting_for ?? '', /and restart the service: the action starts then/)
  }
  await sleep(5000)
  assert.deepEqual(await read(), waiting, 'the worker does not touch them')
  deployment.service.child.kill('SIGKILL')
  await ended(deployment.service.child)
  await deployment.startService({ LLM: 'builtin', EMBEDDINGS: 'builtin-words' })
  for (const id of actions) {
    const { status, processed_companies, waiting_for } = await until(client, id, hasEnded)
    assert.deepEqual([status, processed_companies, waiting_for], ['completed', 30, null])
  }
  await deployment.stop()
})

test('an urgent action overtakes a running one', { skip: slow || postgresOnly.skip }, async () => {
  const deployment = await setUp('urgent', byEndpoint())
  const ids = await importCompanies(deployment.client, 500)
  const slow = await startAction(deployment.client, ids, 10)
  const { settings, release } = holdAfter(1)
  const worker = deployment.startWorker({ ...settings, WORKER_CONCURRENCY: '1' })
  await until(deployment.client, slow, ({ processed_companies }) => processed_companies > 0)
  const urgent = await startAction(deployment.client, ids.slice(0, 200), 95)
  release()
  const done = await until(deployment.client, urgent, hasEnded)
  const other = await until(deployment.client, slow, hasEnded)
  assert.equal(done.status, 'completed')
  assert.ok(
    String(done.completed_at) < String(other.completed_at),
    'the action with low priority ended later',
  )
  worker.child.kill('SIGKILL')
  await deployment.stop()
})

test('an outage of the embedding model and failing companies do not stop other companies', {
  skip: slow || postgresOnly.skip,
}, async () => {
  const deployment = await setUp('model', byEndpoint())
  let isDown = true
  endpoint.failWith = () => (isDown ? { status: 503, headers: { 'retry-after-ms': '1' } } : undefined)
  endpoint.embed = (text, dimensions) =>
    text.startsWith('Seventh') ? new Array(dimensions).fill(0) : wordVector(text, dimensions)
  const ids = await importCompanies(deployment.client, 700, (n) =>
    n % 7 === 6 ? `Seventh ${n}` : `Company ${n}`,
  )
  const id = await startAction(deployment.client, ids)
  const workers = [deployment.startWorker(), deployment.startWorker()]
  const waiting = await until(deployment.client, id, ({ waiting_for }) => waiting_for !== null)
  assert.deepEqual([waiting.processed_companies, waiting.failed_companies], [0, 0])
  isDown = false
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual(
    [action.status, action.processed_companies, action.failed_companies],
    ['completed', 600, 100],
  )
  assert.equal((action.error_summary as { refused: { count: number } }).refused.count, 100)
  assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 600, 'failed 1': 100 })
  for (const { child } of workers) child.kill('SIGKILL')
  await deployment.stop()
})

test('an outage of the language model and companies it rejects do not stop other companies', {
  skip: slow || postgresOnly.skip,
}, async () => {
  const deployment = await setUp('scoring-down', byLanguageModel())
  let isDown = true
  languageModel.failWith = ({ messages }) => {
    if (isDown) return { status: 503, headers: { 'retry-after': '1' } }
    const isSeventh = messages.some(({ content }) => content.includes('Seventh'))
    return isSeventh ? { status: 400, message: 'cannot be read' } : undefined
  }
  const ids = await importCompanies(deployment.client, 140, (n) =>
    n % 7 === 6 ? `Seventh ${n}` : `Company ${n}`,
  )
  const id = await startAction(deployment.client, ids, 50, 'llm_score')
  const worker = deployment.startWorker()
  const waiting = await until(deployment.client, id, ({ waiting_for }) => waiting_for !== null)
  assert.match(waiting.waiting_for ?? '', /The language model failed \(503\)/)
  assert.deepEqual([waiting.processed_companies, waiting.failed_companies], [0, 0])
  isDown = false
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual(
    [action.status, action.processed_companies, action.failed_companies, action.waiting_for],
    ['completed', 120, 20, null],
  )
  assert.equal((action.error_summary as { refused: { count: number } }).refused.count, 20)
  worker.child.kill('SIGKILL')
  await deployment.stop()
})

test('work waits while object storage rejects writes', { skip: slow }, async () => {
  const deployment = await setUp('objects-refused', { WORKER: 'in-process', LLM: 'builtin' })
  const ids = await importCompanies(deployment.client, 20)
  const objects = path.join(folder, 'objects-refused', 'objects')
  await rename(objects, `${objects}.away`)
  await writeFile(objects, 'in the way')
  const id = await startAction(deployment.client, ids, 50, 'enrich_profile')
  const waiting = await until(deployment.client, id, ({ waiting_for }) => waiting_for !== null)
  assert.match(waiting.waiting_for ?? '', /object storage does not accept enrichment profiles/)
  assert.equal(waiting.processed_companies, 0)
  await rm(objects)
  await rename(`${objects}.away`, objects)
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 20])
  const { company } = (await deployment.client.getCompany({ params: { id: ids[0] ?? '' } })).data
  assert.equal(company.enriched_data?.model, 'builtin-heuristic')
  await deployment.stop()
})
