import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ChangeEvent } from '#src/client/client.ts'
import { newAction } from '#src/features/activity/action.ts'
import { insertActivity } from '#src/features/activity/store.ts'
import { findDuplicates } from '#src/features/duplicates/scan.ts'
import { EventStreams } from '#src/platform/http/event-streams.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { isSnapshot } from './log.ts'
import { readEvents } from './store.ts'
import { ChangeStreams } from './streams.ts'

let api: TestApp
let address: string
before(async () => {
  api = await testApp()
  address = await api.app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => api.close())

interface Received {
  messages: { id: string; event: string; data: ChangeEvent[] }[]
  /** All events so far. */
  readonly events: ChangeEvent[]
  close: () => void
}

/** Opens a stream and waits for its first message. */
async function follow(user: string, lastEventId?: string): Promise<Received> {
  const controller = new AbortController()
  const response = await fetch(`${address}/api/events`, {
    headers: { 'x-user-email': user, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: controller.signal,
  })
  assert.equal(response.status, 200)
  const received: Received = {
    messages: [],
    get events() {
      return this.messages.flatMap(({ data }) => data)
    },
    close: () => controller.abort(),
  }
  collect(response.body as ReadableStream<Uint8Array>, received).catch(() => {})
  await eventually(() => assert.ok(received.messages.length > 0))
  return received
}

async function collect(body: ReadableStream<Uint8Array>, { messages }: Received): Promise<void> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string>)) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() as string
    for (const block of blocks) {
      const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (id && event && data) messages.push({ id, event, data: JSON.parse(data) })
    }
  }
}

const createCompany = async (name: string) =>
  (await api.call('POST', '/api/companies', { name })).body.data.id

test('each kind of change is an event that names the record, the action and its user', async () => {
  const stream = await follow('bob@fund.example')
  assert.deepEqual(stream.messages[0]?.event, 'changes')
  const created = await api.call('POST', '/api/companies', { name: 'Followed', tags: ['grid'] })
  const { id } = created.body.data
  const thesis = (await api.call('POST', '/api/theses', { code: 'EV', title: 'Events' })).body.data.id
  const deal = (await api.call('POST', '/api/dealflow', { company_id: id })).body.data.id
  const action = { action_type: 'llm_score', company_ids: [id] }
  const bulk = (await api.call('POST', '/api/bulk-actions', action)).body.data.id
  const field = { entity: 'company', label: 'Tier', type: 'text' }
  const fieldId = (await api.call('POST', '/api/fields', field)).body.data.id
  const view = { entity: 'company', name: 'All', visibility: 'shared' }
  const viewId = (await api.call('POST', '/api/views', view)).body.data.id
  await api.call('PATCH', '/api/users/ada%40example.com', { name: 'Ada' })
  const expected = [
    ...[`company ${id}`, 'tag grid', `thesis ${thesis}`, `deal ${deal}`, `bulk_action ${bulk}`],
    ...[`field ${fieldId}`, `view ${viewId}`, 'user ada@example.com'],
  ]
  await eventually(() => {
    const named = stream.events.map(({ kind, id }) => `${kind} ${id}`)
    assert.deepEqual(
      expected.filter((event) => !named.includes(event)),
      [],
    )
  })
  const company = stream.events.find(({ kind }) => kind === 'company')
  assert.equal(company?.action_id, created.headers['x-action-id'])
  assert.equal(company?.user_email, 'ada@example.com')
  assert.equal(company?.count, 1)
  stream.close()
})

test('many changes of one action are one event with a count', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, (_value, n) => createCompany(`Bulk ${n}`)))
  const stream = await follow('bob@fund.example')
  const answer = await api.call('PATCH', '/api/companies', { ids, changes: { status: 'watching' } })
  assert.equal(answer.status, 200)
  await eventually(() => {
    const own = stream.events.filter(({ action_id }) => action_id === answer.headers['x-action-id'])
    assert.deepEqual(
      own.map(({ kind, id, count }) => ({ kind, id, count })),
      [{ kind: 'company', id: null, count: 30 }],
    )
  })
  stream.close()
})

test('a pair of duplicates that is found, dismissed, or reopened is an event, and many that are found are one', async () => {
  const { db, backgroundDb } = api.context
  const since = async (previous: string) =>
    (await readEvents(db, previous)).events
      .map(({ event }) => event)
      .filter(({ kind }) => kind === 'duplicate')
      .map(({ id, count }) => [id, count])
  const createAlike = async (names: string[]) => {
    for (const name of names) await api.call('POST', '/api/companies', { name, country_code: 'NO' })
    const { snapshot } = await readEvents(db, undefined)
    await findDuplicates(backgroundDb, new AbortController().signal)
    return since(snapshot)
  }
  const found = await createAlike(['Korvanta Foods AS', 'Korvanta Foods'])
  const [pair] = (await api.call('GET', '/api/duplicates')).body.data
  assert.deepEqual(found, [[pair.id, 1]])
  for (const decision of ['dismiss', 'reopen']) {
    const { snapshot } = await readEvents(db, undefined)
    await api.call('POST', `/api/duplicates/${pair.id}/${decision}`)
    assert.deepEqual(await since(snapshot), [[pair.id, 1]], decision)
    await api.call('POST', `/api/duplicates/${pair.id}/${decision}`)
    assert.deepEqual(await since(snapshot), [[pair.id, 1]], `${decision} again`)
  }
  const many = ['Ostravelle Textiles', 'Ostravelle Textiles AS', 'Ostravelle Textiles ASA']
  assert.deepEqual(await createAlike(many), [[null, 3]])
})

test('a stream resumes from its last event, also on another process, and has missed nothing', async () => {
  const stream = await follow('bob@fund.example')
  const before = await createCompany('Before')
  await eventually(() => assert.ok(stream.events.some((event) => event.id === before)))
  stream.close()
  const id = await createCompany('Missed')
  // Another process reads the same log.
  const { events } = await readEvents(api.context.db, stream.messages.at(-1)?.id)
  assert.deepEqual(
    events.map(({ event }) => event.id),
    [id],
  )
  const resumed = await follow('bob@fund.example', stream.messages.at(-1)?.id)
  // An event may come twice: with those that were missed, and from the poll that is going on.
  assert.deepEqual([...new Set(resumed.events.map((event) => event.id))], [id])
  assert.equal(resumed.messages[0]?.event, 'changes')
  resumed.close()
})

/** A snapshot that is older than every entry of the log. */
const BEFORE_THE_LOG = '3:3:'

test('after a gap that the log does not cover, the stream begins with a reset', async () => {
  for (const lastEventId of [BEFORE_THE_LOG, 'x', '5:3:', '1:9:7,7']) {
    const resumed = await follow('bob@fund.example', lastEventId)
    assert.deepEqual([resumed.messages[0]?.event, resumed.messages[0]?.data], ['reset', []])
    assert.ok(isSnapshot(resumed.messages[0]?.id ?? ''))
    resumed.close()
  }
})

test('a private view is an event for its owner alone, until it is shared', async () => {
  const own = await follow('ada@example.com')
  const other = await follow('bob@fund.example')
  const view = { entity: 'company', name: 'Mine', visibility: 'private' }
  const { id } = (await api.call('POST', '/api/views', view)).body.data
  const viewsOf = ({ events }: Received) => events.filter((event) => event.id === id).length
  await eventually(() => assert.equal(viewsOf(own), 1))
  await createCompany('Marker')
  await eventually(() => assert.ok(other.events.some(({ kind }) => kind === 'company')))
  assert.equal(viewsOf(other), 0)
  const headers = { 'x-user-email': 'ada@example.com', 'if-match': '*' }
  const patch = { visibility: 'shared' }
  assert.equal((await api.call('PATCH', `/api/views/${id}`, patch, { headers })).status, 200)
  await eventually(() => assert.equal(viewsOf(other), 1))
  own.close()
  other.close()
})

test('a change that commits after a later one is not lost', { skip: !testServer }, async () => {
  const { db } = api.context
  const record = (id: string) => ({
    activity_type: 'company_updated',
    entity_type: 'company' as const,
    entity_id: id,
  })
  const insert = (on: typeof db, id: string) =>
    insertActivity(null, [record(id)], newAction('update', null)).execute(on)
  let commit = () => {}
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const slow = db.transaction().execute(async (transaction) => {
    await insert(transaction, 'cmp_slow')
    begun()
    await new Promise<void>((resolve) => {
      commit = resolve
    })
  })
  await hasBegun
  const start = (await readEvents(db, undefined)).snapshot
  await insert(db, 'cmp_fast')
  const first = await readEvents(db, start)
  commit()
  await slow
  const second = await readEvents(db, first.snapshot)
  const idsOf = ({ events }: typeof first) => events.map(({ event }) => event.id)
  assert.deepEqual([idsOf(first), idsOf(second)], [['cmp_fast'], ['cmp_slow']])
})

test('all streams of a process share one poll, and a database that is down ends none', async () => {
  const state = { reads: 0, fails: false, snapshot: 1 }
  const all = new EventStreams()
  const streams = new ChangeStreams(async () => {
    state.reads += 1
    if (state.fails) throw new Error('The database is down.')
    return { snapshot: `${state.snapshot}:${state.snapshot}:`, isComplete: true, events: [] }
  }, all)
  let ended = 0
  for (let n = 0; n < 100; n++) {
    const body = await streams.open({ caller: `user ${n}`, expires: undefined, email: undefined })
    body.on('data', () => {}).on('end', () => ended++)
  }
  const opened = state.reads
  state.fails = true
  await eventually(() => assert.ok(state.reads >= opened + 3))
  assert.ok(state.reads < opened + 20, `${state.reads - opened} reads for 100 streams`)
  assert.equal(ended, 0)
  await assert.rejects(streams.open({ caller: 'late', expires: undefined, email: undefined }), /is down/)
  all.close()
  await eventually(() => assert.equal(ended, 100))
})

test('HEAD opens no stream', async () => {
  for (let n = 0; n < 12; n++)
    assert.equal((await fetch(`${address}/api/events`, { method: 'HEAD' })).status, 200)
})
