import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended, openProxy } from '#dev/processes.ts'
import {
  byEndpoint,
  byLanguageModel,
  createDatabase,
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

test('another worker replaces one that is killed: nothing is lost or done twice', postgresOnly, async () => {
  const deployment = await setUp('killed', byEndpoint())
  const ids = await importCompanies(deployment.client, 1200)
  const id = await startAction(deployment.client, ids)
  const { settings, release } = holdAfter(4)
  const first = deployment.startWorker({ ...settings, WORKER_CONCURRENCY: '2' })
  await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 300)
  first.child.kill('SIGKILL')
  await ended(first.child)
  const { completed_at } = await until(deployment.client, id, () => true)
  assert.equal(completed_at, null, 'it was killed before the end')
  release()
  const second = deployment.startWorker(settings)
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual(
    [action.status, action.processed_companies, action.failed_companies],
    ['completed', 1200, 0],
  )
  assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 1200 })
  second.child.kill('SIGTERM')
  assert.equal(await ended(second.child), 0)
  await deployment.stop()
})

test('work continues after the service is killed and restarted', postgresOnly, async () => {
  const deployment = await setUp('service-killed', byEndpoint())
  const ids = await importCompanies(deployment.client, 1200)
  const id = await startAction(deployment.client, ids)
  const { settings, release } = holdAfter(4)
  const worker = deployment.startWorker({ ...settings, WORKER_CONCURRENCY: '2' })
  await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 300)
  deployment.service.child.kill('SIGKILL')
  await ended(deployment.service.child)
  release()
  await sleep(1500)
  await deployment.startService()
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 1200])
  assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 1200 })
  worker.child.kill('SIGKILL')
  await deployment.stop()
})

test('work continues after a database outage', postgresOnly, async () => {
  const databaseUrl = (await createDatabase())?.url as string
  const passage = await openProxy(databaseUrl)
  const deployment = await setUp('database-away', { ...byEndpoint(), DATABASE_URL: passage.url })
  deployment.databaseUrl = databaseUrl
  const ids = await importCompanies(deployment.client, 1200)
  const id = await startAction(deployment.client, ids)
  const { settings, release } = holdAfter(4)
  const worker = deployment.startWorker({ ...settings, WORKER_CONCURRENCY: '2' })
  await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 300)
  passage.cut()
  release()
  await sleep(3000)
  await passage.open()
  const action = await until(deployment.client, id, hasEnded)
  assert.deepEqual([action.status, action.processed_companies], ['completed', 1200])
  assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 1200 })
  assert.equal(worker.child.exitCode, null)
  assert.equal(deployment.service.child.exitCode, null)
  worker.child.kill('SIGKILL')
  await deployment.stop()
  passage.cut()
})

test(
  'after a worker is killed during model calls, companies that are scored are not scored again',
  postgresOnly,
  async () => {
    const deployment = await setUp('scoring-killed', byLanguageModel())
    languageModel.failWith = () => ({ delay: 20 })
    const ids = await importCompanies(deployment.client, 200)
    const id = await startAction(deployment.client, ids, 50, 'llm_score')
    const first = deployment.startWorker({ WORKER_CONCURRENCY: '5' })
    await until(deployment.client, id, ({ processed_companies }) => processed_companies >= 50)
    first.child.kill('SIGKILL')
    await ended(first.child)
    const workers = [deployment.startWorker(), deployment.startWorker()]
    const action = await until(deployment.client, id, hasEnded)
    assert.deepEqual([action.status, action.processed_companies], ['completed', 200])
    assert.deepEqual(await rowsOf(deployment, id), { 'processed 1': 200 })
    assert.equal(action.usage.calls, 200)
    const lost = languageModel.requests.length - 200
    assert.ok(lost <= 5, `${lost} calls of the killed worker were lost`)
    for (const { child } of workers) child.kill('SIGKILL')
    await deployment.stop()
  },
)
