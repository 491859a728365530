import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Json } from '#src/platform/database/sql.ts'
import { TooManyRequests } from '#src/platform/errors.ts'
import { EventStreams, MAX_STREAMS, MAX_STREAMS_PER_USER } from '#src/platform/http/event-streams.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { ProgressStreams } from './events.ts'

let api: TestApp
let address: string
let id: string
before(async () => {
  api = await testApp()
  address = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const company_ids = [(await api.call('POST', '/api/companies', { name: 'Followed' })).body.data.id]
  const action = { action_type: 'generate_embeddings', company_ids }
  id = (await api.call('POST', '/api/bulk-actions', action)).body.data.id
})
after(() => api.close())

const open = (user: string, controller: AbortController) =>
  fetch(`${address}/api/bulk-actions/${id}/events`, {
    headers: { 'x-user-email': user },
    signal: controller.signal,
  })

test('a user may have 10 streams open, another one is a 429, and closing them makes room', async () => {
  const controllers = Array.from({ length: MAX_STREAMS_PER_USER }, () => new AbortController())
  for (const controller of controllers) assert.equal((await open('ada@fund.example', controller)).status, 200)
  const refused = await open('ada@fund.example', new AbortController())
  assert.equal(refused.status, 429)
  assert.match(((await refused.json()) as { details: string }).details, /^You have 10 event streams open/)
  const other = new AbortController()
  assert.equal((await open('bob@fund.example', other)).status, 200)
  for (const controller of [...controllers, other]) controller.abort()
  const again = new AbortController()
  await eventually(async () => assert.equal((await open('ada@fund.example', again)).status, 200))
  again.abort()
})

const record = (status: string): Json => JSON.stringify({ id: 'ba_1', status })

/** Streams over a source that counts its statements. */
function counted() {
  const state = { action: record('running'), version: 1, statements: 0, fails: false }
  const answer = <T>(value: T) => {
    state.statements += 1
    if (state.fails) throw new Error('The database is down.')
    return new Map([['ba_1', value]])
  }
  const streams = new EventStreams()
  const progress = new ProgressStreams(
    {
      readVersions: async () => answer(String(state.version)),
      readActions: async () => answer(state.action),
    },
    streams,
  )
  const follow = (caller: string, expires?: number) => {
    const stream = progress.open({ id: 'ba_1', caller, expires }, record('running'))
    const received = { text: '', hasEnded: false }
    stream.on('data', (chunk) => (received.text += chunk)).on('end', () => (received.hasEnded = true))
    return received
  }
  return { state, streams, follow }
}

test('all streams of a process share one poll, and 500 is the most', async () => {
  const { state, streams, follow } = counted()
  const received = Array.from({ length: MAX_STREAMS }, (_value, n) => follow(`user ${n}`))
  assert.throws(() => follow('one too many'), TooManyRequests)
  await eventually(() => assert.ok(state.statements >= 2))
  const before = state.statements
  Object.assign(state, { action: record('completed'), version: 2 })
  await eventually(() => assert.ok(received.every(({ hasEnded }) => hasEnded)))
  assert.ok(state.statements - before <= 3, `${state.statements - before} statements`)
  for (const { text } of received) {
    assert.equal(text.match(/^event: progress$/gm)?.length, 2)
    assert.match(text, /event: end\ndata: .*completed.*\n\n:? *\n*$/)
  }
  streams.close()
})

test('streams outlast a database that is down', async () => {
  const { state, streams, follow } = counted()
  const received = follow('ada')
  state.fails = true
  const failedFrom = state.statements
  await eventually(() => assert.ok(state.statements > failedFrom + 1))
  assert.equal(received.hasEnded, false)
  Object.assign(state, { fails: false, action: record('failed'), version: 2 })
  await eventually(() => assert.equal(received.hasEnded, true))
  assert.match(received.text, /event: end\ndata: .*failed/)
  streams.close()
})

test('a stream ends when its credential expires, and others go on', async () => {
  const { streams, follow } = counted()
  const expiring = follow('ada', Date.now() / 1000 + 0.1)
  const other = follow('bob')
  await eventually(() => assert.equal(expiring.hasEnded, true))
  assert.equal(other.hasEnded, false)
  streams.close()
  await eventually(() => assert.equal(other.hasEnded, true))
})
