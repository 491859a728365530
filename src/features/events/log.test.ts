import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { LoggedEvent } from '#src/client/client.ts'
import { newAction } from '#src/features/activity/action.ts'
import { ENTITY_TYPES } from '#src/features/activity/schema.ts'
import { purgeExpired } from '#src/features/trash/purge.ts'
import { eventRecords, RECORD_KINDS } from '#src/kinds.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { EVENT_TYPES, LOGGED_KINDS } from './schema.ts'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

interface Page {
  data: LoggedEvent[]
  next: string
}

async function read(query: string, user = 'ada@example.com'): Promise<Page> {
  const answer = await api.call('GET', `/api/events/log?${query}`, undefined, {
    headers: { 'x-user-email': user },
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** The events of what a function does. */
async function eventsOf(act: () => Promise<unknown>, query = ''): Promise<LoggedEvent[]> {
  const { next } = await read('after=now')
  await act()
  return (await read(`limit=500&after=${next}&${query}`)).data
}

async function create(url: string, body: object): Promise<string> {
  const answer = await api.call('POST', url, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

const company = (name: string) => create('/api/companies', { name })

async function send(method: 'POST' | 'PATCH' | 'DELETE' | 'PUT', url: string, body?: object) {
  const answer = await api.call(method, url, body)
  assert.ok(answer.status < 300, `${url}: ${JSON.stringify(answer.body)}`)
  return answer.headers['x-action-id'] ?? answer.body.data?.action_id
}

async function importCompanies(payload: string): Promise<void> {
  const answer = await api.call('POST', '/api/companies/import', undefined, {
    headers: { 'x-user-email': 'ada@example.com', 'content-type': 'text/csv' },
    payload,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(answer.body.data.errors, [])
}

/** What a function does, and the events that it leaves: type, record, and path. `new` is a record that it creates. */
const PATHS: { name: string; prepare: () => Promise<{ act: () => Promise<unknown>; leaves: string[] }> }[] = [
  {
    name: 'requests',
    prepare: async () => {
      const id = await company('By request')
      const deal = await create('/api/dealflow', { company_id: id })
      return {
        act: async () => {
          await send('PATCH', `/api/companies/${id}`, { hq_city: 'Oslo' })
          await send('PATCH', `/api/dealflow/${deal}`, { stage: 'screening', notes: 'Both at once' })
          await company('New')
        },
        leaves: [
          `company.updated ${id} request`,
          `deal.stage_changed ${deal} request`,
          `deal.updated ${deal} request`,
          'company.created new request',
        ],
      }
    },
  },
  {
    name: 'an import',
    prepare: async () => {
      const id = await create('/api/companies', { name: 'Imported before', country_code: 'NO' })
      return {
        act: () =>
          importCompanies('name,country_code,hq_city\nImported before,NO,Bergen\nImported now,NO,Oslo\n'),
        leaves: [`company.updated ${id} import`, 'company.created new import'],
      }
    },
  },
  {
    name: 'a bulk change',
    prepare: async () => {
      const ids = [await company('Bulk one'), await company('Bulk two')]
      return {
        act: () => send('PATCH', '/api/companies', { ids, changes: { status: 'watching' } }),
        leaves: ids.map((id) => `company.updated ${id} request`),
      }
    },
  },
  {
    name: 'the worker',
    prepare: async () => {
      const id = await company('Scored')
      const action = await create('/api/bulk-actions', { action_type: 'llm_score', company_ids: [id] })
      const headers = { authorization: `Bearer ${await signWorkerToken(api.context.sessions, 3600)}` }
      const criteria = [{ name: 'Fit', weight: 1, score: 70, reason: 'It fits.', evidence: ['x'] }]
      const model = { model: 'm', prompt_version: 1, input_hash: 'x', thesis: null, warnings: [] }
      const results = [{ company_id: id, score: { overall: 70, criteria, ...model } }]
      return {
        act: async () => {
          const answer = await api.call(
            'POST',
            `/api/bulk-actions/${action}/results`,
            { results },
            { headers },
          )
          assert.equal(answer.status, 200, JSON.stringify(answer.body))
        },
        leaves: [`company.scored ${id} bulk_action`, `bulk_action.completed ${action} null`],
      }
    },
  },
  {
    name: 'a merge and its undo',
    prepare: async () => {
      const [kept, merged] = [await company('Kept'), await company('Merged')]
      const deal = await create('/api/dealflow', { company_id: merged })
      return {
        act: async () => {
          const action = await send('POST', `/api/companies/${kept}/merge`, { from: [merged] })
          await send('POST', `/api/actions/${action}/undo`)
        },
        leaves: [
          `company.merged ${merged} merge`,
          `deal.updated ${deal} merge`,
          `company.unmerged ${merged} undo`,
          `deal.updated ${deal} undo`,
        ],
      }
    },
  },
  {
    name: 'deletion, restoration, and purge',
    prepare: async () => {
      const id = await company('Deleted')
      const deal = await create('/api/dealflow', { company_id: id })
      return {
        act: async () => {
          await send('DELETE', `/api/companies/${id}`)
          await send('POST', `/api/trash/${id}/restore`)
          await send('DELETE', `/api/companies/${id}`)
          await send('DELETE', `/api/trash/${id}`)
        },
        leaves: [
          ...[`deal.deleted ${deal} request`, `company.deleted ${id} request`],
          ...[`company.restored ${id} restore`, `deal.restored ${deal} restore`],
          ...[`deal.deleted ${deal} request`, `company.deleted ${id} request`],
          ...[`company.purged ${id} request`, `deal.purged ${deal} request`],
        ],
      }
    },
  },
  {
    name: 'the purge of what has been in the trash for too long',
    prepare: async () => {
      const id = await create('/api/theses', { code: 'OLD', title: 'Old' })
      await send('DELETE', `/api/theses/${id}`)
      await sql`update trash set deleted_at = now() - interval '31 days' where id = ${id}`.execute(
        api.context.db,
      )
      const { db, objects } = api.context
      return {
        act: () => purgeExpired({ db, objects, kinds: RECORD_KINDS }, 30, new AbortController().signal),
        leaves: [`thesis.purged ${id} request`],
      }
    },
  },
  {
    name: 'people, notes, decisions, and verdicts',
    prepare: async () => {
      const id = await company('About')
      const person = await create('/api/people', { name: 'Jo' })
      const thesis = await create('/api/theses', { code: 'VER', title: 'Verdicts' })
      return {
        act: async () => {
          await send('PUT', `/api/companies/${id}/people/${person}`, { role: 'CTO' })
          await send('DELETE', `/api/companies/${id}/people/${person}`)
          await create('/api/notes', { body: 'A call', about: [{ type: 'company', id }] })
          await create('/api/decisions', { company_id: id, body: 'A decision' })
          await send('PATCH', `/api/theses/${thesis}/matches/${id}`, { verdict: 'up' })
        },
        leaves: [
          ...[`person.linked ${person} request`, `person.unlinked ${person} request`],
          ...['note.created new request', 'decision.created new request'],
          `thesis.match_judged ${thesis} null`,
        ],
      }
    },
  },
]

for (const { name, prepare } of PATHS)
  test(`${name}: exactly one event for each change of a record, in its transaction`, async () => {
    const { act, leaves } = await prepare()
    const known = new Set(leaves.map((line) => line.split(' ')[1]))
    const events = await eventsOf(act)
    const lines = events.map(
      ({ type, data, via }) => `${type} ${known.has(data.id) ? data.id : 'new'} ${via}`,
    )
    // The records of one statement have no order among each other.
    assert.deepEqual(lines.sort(), leaves.sort())
  })

test('each activity record has one event, in order, and no event is without its activity record', async () => {
  const { rows } = await sql`
    select activity.id as activity, activity_type, events.seq
    from (select * from activity where activity_type !~ '_imported$') activity
      full join (select * from events where activity_id is not null) events on activity_id = activity.id
    where activity.id is null or events.seq is null`.execute(api.context.db)
  assert.deepEqual(rows, [])
  const { rows: disordered } = await sql`
    select record_id from (
      select record_id, activity_id, lag(activity_id) over (partition by record_id order by seq) as earlier from events) log
    where earlier > activity_id`.execute(api.context.db)
  assert.deepEqual(disordered, [])
  const { rows: types } = await sql<{ type: string }>`
    select distinct type from events where type is not null`.execute(api.context.db)
  assert.ok(types.length > 15)
  assert.deepEqual(
    types.filter(({ type }) => !EVENT_TYPES.includes(type)),
    [],
  )
})

test('each kind of record with activity is listed and read', () => {
  const kinds = ENTITY_TYPES.map((type) => (type === 'dealflow' ? 'deal' : type))
  const read = Object.keys(eventRecords(api.config))
  assert.deepEqual(
    kinds.filter((kind) => !(LOGGED_KINDS as string[]).includes(kind) || !read.includes(kind)),
    [],
  )
})

test('an event has its record as it is now, and the changes as they were made', async () => {
  const id = await company('Before')
  const [event, later] = await eventsOf(async () => {
    await send('PATCH', `/api/companies/${id}`, { name: 'Then', activity_description: 'x'.repeat(3000) })
    await send('PATCH', `/api/companies/${id}`, { name: 'Now' })
  })
  assert.ok(event && later)
  const { rows } = await sql<{ id: string; action_id: string }>`
    select id, action_id from activity where entity_id = ${id} order by id offset 1 limit 1`.execute(
    api.context.db,
  )
  assert.equal(event.id, rows[0]?.id.replace('act_', 'evt_'))
  assert.equal(event.action_id, rows[0]?.action_id)
  assert.equal(event.user_email, 'ada@example.com')
  assert.equal(event.data.entity, 'company')
  assert.deepEqual(event.data.changes?.name, { from: 'Before', to: 'Then' })
  assert.equal(event.data.changes?.activity_description?.truncated, true)
  const shown = (await api.call('GET', `/api/companies?search=Now`)).body.data[0]
  assert.deepEqual([event.data.record, later.data.record], [shown, shown])
  const [deleted] = await eventsOf(() => send('DELETE', `/api/companies/${id}`))
  assert.deepEqual([deleted?.type, deleted?.data.record], ['company.deleted', null])
})

test('every kind of record is read', async () => {
  const about = await company('Every kind')
  const events = await eventsOf(async () => {
    await create('/api/dealflow', { company_id: about })
    await create('/api/theses', { code: 'EVERY', title: 'Every' })
    await create('/api/people', { name: 'Every' })
    await create('/api/notes', { body: 'Every', about: [{ type: 'company', id: about }] })
    await create('/api/decisions', { company_id: about, body: 'Every' })
    await create('/api/bulk-actions', { action_type: 'llm_score', company_ids: [about] })
  })
  assert.deepEqual(
    events.map(({ data }) => [data.entity, data.record?.id === data.id]),
    ['deal', 'thesis', 'person', 'note', 'decision', 'bulk_action'].map((kind) => [kind, true]),
  )
})

test('events are chosen by type', async () => {
  const act = async () => {
    const id = await company('Typed')
    await send('PATCH', `/api/companies/${id}`, { hq_city: 'Oslo' })
    await create('/api/dealflow', { company_id: id })
  }
  const typesWith = async (query: string) => (await eventsOf(act, query)).map(({ type }) => type)
  assert.deepEqual(await typesWith('types=company.created,deal.*'), ['company.created', 'deal.created'])
  assert.deepEqual(await typesWith('types=company.updated&types=deal.created'), [
    'company.updated',
    'deal.created',
  ])
  assert.deepEqual(await typesWith('types=note.*'), [])
  for (const [types, named] of [
    ['company.exploded', 'company.exploded'],
    ['company.created,deals.*', 'deals.*'],
    ['view.*', 'view.*'],
  ]) {
    const { status, body } = await api.call('GET', `/api/events/log?types=${types}`)
    assert.equal(status, 400)
    assert.match(body.details, /^types/)
    assert.ok(body.details.includes(named), body.details)
  }
})

test('a log is read in pages, from its beginning or from now, and repeats nothing', async () => {
  const all = await read('limit=500')
  assert.ok(all.data.length > 20)
  const paged: LoggedEvent[] = []
  for (let page = await read('limit=7'); ; page = await read(`limit=7&after=${page.next}`)) {
    paged.push(...page.data)
    if (page.data.length < 7) break
  }
  assert.deepEqual(paged, all.data)
  const now = await read('after=now')
  assert.deepEqual(now.data, [])
  assert.deepEqual((await read(`after=${now.next}`)).data, [])
})

test('a page that ends within a range goes on with what has happened since, too', async () => {
  const { next } = await read('after=now')
  const first = [await company('One'), await company('Two')]
  const page = await read(`limit=1&after=${next}`)
  const second = await company('Three')
  const rest = await read(`limit=5&after=${page.next}`)
  assert.deepEqual(
    [...page.data, ...rest.data].map(({ data }) => data.id),
    [...first, second],
  )
})

test('what is no cursor is refused', async () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url')
  for (const after of [
    ...[
      'x',
      'NOW',
      encode('5:3:'),
      encode('1:9:7,7'),
      encode('1:1:~1:1:'),
      encode('1:1:~1:1:~1'),
      encode("1:1:';--"),
    ],
    ...[encode('1:1:~x~1~2'), encode('1:1:~1:1:~-1~2'), encode(`1:1:~1:1:~1~${'9'.repeat(16)}`)],
  ]) {
    const { status, body } = await api.call('GET', `/api/events/log?after=${after}`)
    assert.equal(status, 400, after)
    assert.match(body.details, /^after must be the `next` of an earlier answer, or now; .*not /)
  }
  const { status } = await api.call('GET', `/api/events/log?after=${'x'.repeat(30_000)}`)
  assert.equal(status, 400)
  // One that claims more than there is ends with what there is.
  const now = Buffer.from((await read('after=now')).next, 'base64url').toString()
  const { data } = await read(`limit=500&after=${encode(`1:1:~${now}~0~${'9'.repeat(15)}`)}`)
  assert.deepEqual(data, (await read('limit=500')).data)
})

test('a note that becomes the team’s is known to others from then on', async () => {
  const about = [{ type: 'company', id: await company('Noted') }]
  const { next } = await read('after=now')
  const id = await create('/api/notes', { body: 'Secret', about, visibility: 'private' })
  await send('PATCH', `/api/notes/${id}`, { visibility: 'team' })
  const seenBy = async (user: string) => (await read(`after=${next}`, user)).data.map(({ type }) => type)
  assert.deepEqual(await seenBy('bob@example.com'), ['note.updated'])
  assert.deepEqual(await seenBy('ada@example.com'), ['note.created', 'note.updated'])
})

test('a change whose transaction fails leaves no event', async () => {
  const events = await eventsOf(() =>
    api.context.db
      .transaction()
      .execute(async (transaction) => {
        await sql`insert into activity (id, activity_type, entity_type, entity_id, "timestamp", metadata)
          values ('act_rolled_back', 'company_updated', 'company', 'cmp_x', now(), '{}')`.execute(transaction)
        throw new Error(newAction('update', null).id)
      })
      .catch(() => {}),
  )
  assert.deepEqual(events, [])
})
