import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { ThesisMatch } from '#src/client/client.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { unitVector } from '#src/platform/embeddings/unit-vector.ts'
import { wordsOf } from '#src/platform/lexical.ts'
import { EndpointFailure } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { whenBlocked } from '#src/testing/locks.ts'

const COMPANIES = [
  ['Kestrel', 'Robotics', 'Picking robots for warehouses. Rents them out per pick.', 'NO'],
  ['Palleto', 'Logistics', 'Forklifts that drive themselves around depots.', 'DE'],
  ['Regalo', 'Software', 'Warehouse management. Sells licenses for robots.', 'DE'],
  ['Havre', 'Food', 'Oat drinks for cafés.', 'SE'],
  ['Vakt', 'Health', 'Plans the shifts of nurses.', 'SE'],
] as const
/** Words that the model of these tests takes for the same. */
const SYNONYMS: Record<string, string> = { forklifts: 'robots', depots: 'warehouses' }
const LENGTH = 64

let isModelUp = true
/** A model that knows synonyms: a text's vector counts its words. */
const embedder: Embedder = {
  embed: async (_model, texts) => {
    if (!isModelUp) throw new EndpointFailure('The model stopped.')
    return texts.map((text) => {
      const vector = new Array(LENGTH).fill(0.01)
      for (const { text: word } of wordsOf(text)) {
        const [known] = wordsOf(SYNONYMS[word.toLowerCase()] ?? word)
        vector[(known?.dimension ?? 0) % LENGTH] += 1
      }
      return { vector: unitVector(vector) }
    })
  },
}

let api: TestApp
let thesis: string
let ids: Record<string, string>
before(async () => {
  api = await testApp({ EMBEDDINGS: 'builtin' }, { embedder })
  const created = await Promise.all(
    COMPANIES.map(([name, industry_category, activity_description, country_code]) =>
      api.call('POST', '/api/companies', { name, industry_category, activity_description, country_code }),
    ),
  )
  ids = Object.fromEntries(created.map(({ body }) => [body.data.name, body.data.id]))
  thesis = await createThesis('ROBOTS', {
    title: 'Robots for warehouses',
    summary: 'Labor is scarce.',
    report_markdown:
      '## What we look for\n- Rents robots per pick: no site needs much capital for that\n\n## What we avoid\n- Sells licenses\n',
  })
  await eventually(async () => {
    const { data } = (await api.call('GET', '/api/companies/search/status')).body
    assert.ok(data.waiting === 0 && data.models[0]?.waiting === 0 && data.is_semantic, JSON.stringify(data))
  })
})
after(() => api.close())

async function createThesis(code: string, fields: object): Promise<string> {
  const { status, body } = await api.call('POST', '/api/theses', { code, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

interface Matches {
  until: string
  data: ThesisMatch[]
  pagination: { total: number }
  answering: string
  is_semantic: boolean
}

async function matches(query = '', of = thesis): Promise<Matches> {
  const { status, body } = await api.call('GET', `/api/theses/${of}/matches?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const names = ({ data }: Matches) => data.map(({ name }) => name)
const newNames = async () => {
  const found = await matches()
  return names({ ...found, data: found.data.filter(({ is_new }) => is_new) })
}
const judge = (name: string, verdict: unknown, of = thesis) =>
  api.call('PATCH', `/api/theses/${of}/matches/${ids[name]}`, { verdict })

test('companies are ranked with reasons: a quote for each criterion that they meet', async () => {
  const found = await matches()
  assert.equal(names(found)[0], 'Kestrel')
  assert.ok(!names(found).includes('Havre') && !names(found).includes('Vakt'))
  assert.deepEqual([found.answering, found.is_semantic], ['universal-sentence-encoder-lite, text 1', true])
  const [first] = found.data
  assert.ok(first && first.fit > 0 && first.fit <= 1)
  assert.deepEqual(first.reasons, [
    {
      criterion: 'Robots for warehouses',
      weight: 3,
      kind: 'nice',
      negative: false,
      met: true,
      quote: 'Picking robots for warehouses.',
    },
    {
      criterion: 'Rents robots per pick: no site needs much capital for that',
      weight: 1,
      kind: 'nice',
      negative: false,
      met: true,
      quote: 'Rents them out per pick.',
    },
    { criterion: 'Sells licenses', weight: 1, kind: 'nice', negative: true, met: false, quote: null },
  ])
  const regalo = found.data.find(({ name }) => name === 'Regalo')
  assert.equal(regalo?.reasons[2]?.quote, 'Sells licenses for robots.')
  assert.ok(first.fit > (regalo?.fit ?? 1))
})

test('the model finds companies in other words; without it, words answer and the list reports it', async () => {
  assert.ok(names(await matches()).includes('Palleto'))
  isModelUp = false
  try {
    const { data } = (await api.call('PATCH', `/api/theses/${thesis}`, { summary: 'Wages rise.' })).body
    assert.equal(data.summary, 'Wages rise.')
    const found = await matches()
    assert.deepEqual([found.answering, found.is_semantic], ['words', false])
    assert.equal(names(found)[0], 'Kestrel')
    assert.ok(!names(found).includes('Palleto'))
    assert.equal(found.data[0]?.reasons[0]?.met, true)
    const other = await createThesis('UNHEARD', { title: 'Qvxzt' })
    await judge('Kestrel', 'down', other)
    assert.deepEqual(
      (await matches('verdict=down', other)).data.map(({ name, fit }) => [name, fit]),
      [['Kestrel', 0]],
    )
    assert.deepEqual(names(await matches('', other)), [])
  } finally {
    isModelUp = true
  }
})

test('pages, filters, companies in the pipeline', async () => {
  const all = await matches()
  const second = await matches('limit=1&offset=1')
  assert.deepEqual([second.data[0], second.pagination.total], [all.data[1], all.data.length])
  assert.deepEqual((await matches('limit=0')).data, [])
  const german = names(await matches('country_code=de'))
  assert.ok(german.includes('Regalo') && !german.includes('Kestrel'))
  await api.call('POST', '/api/dealflow', { company_id: ids.Kestrel, stage: 'initial', probability: 10 })
  assert.ok(!names(await matches('exclude_in_pipeline=true')).includes('Kestrel'))
  assert.equal(names(await matches('exclude_in_pipeline=false'))[0], 'Kestrel')
})

test('verdicts are stored, recorded, filtered by, and move the ranking', async () => {
  const fitOf = async (name: string) => (await matches()).data.find((match) => match.name === name)?.fit ?? 0
  const before = await fitOf('Palleto')
  const { status, body } = await judge('Palleto', 'up')
  assert.deepEqual([status, body.data], [200, { thesis_id: thesis, company_id: ids.Palleto, verdict: 'up' }])
  await judge('Regalo', 'down')
  assert.ok((await fitOf('Palleto')) > before)
  const { data } = await matches()
  assert.deepEqual(
    ['Palleto', 'Regalo', 'Kestrel'].map((name) => data.find((match) => match.name === name)?.verdict),
    ['up', 'down', null],
  )
  assert.deepEqual(names(await matches('verdict=up')), ['Palleto'])
  assert.deepEqual(names(await matches('verdict=down')), ['Regalo'])
  assert.ok(!names(await matches('verdict=none')).includes('Palleto'))
  const recorded = (await api.call('GET', `/api/activity?entity_id=${thesis}&activity_type=match_judged`))
    .body
  assert.deepEqual(
    recorded.data.map(({ company_id, metadata }: { company_id: string; metadata: object }) => [
      company_id,
      metadata,
    ]),
    [
      [ids.Regalo, { from: null, to: 'down' }],
      [ids.Palleto, { from: null, to: 'up' }],
    ],
  )
  const ofCompany = (await api.call('GET', `/api/companies/${ids.Palleto}`)).body.data.recent_activity
  assert.deepEqual(ofCompany[0], recorded.data[1])
  await judge('Palleto', null)
  await judge('Regalo', null)
  assert.deepEqual(names(await matches('verdict=up')), [])
  assert.equal(await fitOf('Palleto'), before)
})

test('a verdict on the best match brings no others into the list', async () => {
  const oats = await createThesis('CAFES', { title: 'Oat drinks for cafés' })
  assert.deepEqual(names(await matches('', oats)), ['Havre'])
  await judge('Havre', 'up', oats)
  assert.deepEqual(names(await matches('', oats)), ['Havre'])
  assert.deepEqual(names(await matches('verdict=none', oats)), [])
  // With another filter, another match is the best.
  assert.deepEqual(
    names(await matches('verdict=none&country_code=no', oats)),
    names(await matches('country_code=no', oats)),
  )
})

test('verdicts come back with a company from the trash, and go when it is purged', async () => {
  const other = await createThesis('OATS', { title: 'Oat drinks' })
  await judge('Havre', 'up', other)
  await api.call('DELETE', `/api/companies/${ids.Havre}`)
  assert.deepEqual(names(await matches('verdict=up', other)), [])
  assert.match((await judge('Havre', 'down', other)).body.details, /is in the trash/)
  await api.call('POST', `/api/trash/${ids.Havre}/restore`)
  assert.deepEqual(names(await matches('verdict=up', other)), ['Havre'])
  await api.call('DELETE', `/api/companies/${ids.Havre}`)
  assert.equal((await api.call('DELETE', `/api/trash/${ids.Havre}`)).status, 204)
  const { rows } = await sql`select from thesis_verdicts where company_id = ${ids.Havre}`.execute(
    api.context.db,
  )
  assert.equal(rows.length, 0)
})

test('matches that were added or changed since the last look are new', async () => {
  assert.deepEqual(await newNames(), [])
  assert.equal((await api.call('POST', `/api/theses/${thesis}/matches/seen`)).status, 200)
  await api.call('PATCH', `/api/companies/${ids.Palleto}`, { status: 'inactive' })
  assert.deepEqual(await newNames(), [])
  await api.call('PATCH', `/api/companies/${ids.Palleto}`, { hq_city: 'Oslo' })
  await eventually(async () => assert.deepEqual(await newNames(), ['Palleto']))
  const others = await api.call('GET', `/api/theses/${thesis}/matches`, undefined, {
    headers: { 'x-user-email': 'ben@example.com' },
  })
  assert.ok(others.body.data.every(({ is_new }: ThesisMatch) => !is_new))
  await api.call('POST', `/api/theses/${thesis}/matches/seen`)
  assert.deepEqual(await newNames(), [])

  // What has changed since the list was read stays new, whatever another tab has read before.
  const previous = (await matches()).until
  await api.call('PATCH', `/api/companies/${ids.Palleto}`, { hq_city: 'Kiel' })
  const { until } = await matches()
  await api.call('PATCH', `/api/companies/${ids.Kestrel}`, { hq_city: 'Bergen' })
  for (const moment of [until, previous])
    await api.call('POST', `/api/theses/${thesis}/matches/seen?until=${moment}`)
  await eventually(async () => assert.deepEqual(await newNames(), ['Kestrel']))
  const { body } = await api.call('POST', `/api/theses/${thesis}/matches/seen?until=2999-01-01T00:00:00Z`)
  assert.ok(Date.parse(body.data.seen_at) <= Date.now() + 1000)
  assert.deepEqual(await newNames(), [])
})

test('a match that was being changed when the list was read stays new', {
  skip: !testServer && 'The embedded database has one connection.',
}, async () => {
  const { db } = api.context
  await api.call('POST', `/api/theses/${thesis}/matches/seen`)
  const { until, changed } = await db.transaction().execute(async (transaction) => {
    await sql`lock table activity in share mode`.execute(transaction)
    const changed = (async () => api.call('PATCH', `/api/companies/${ids.Regalo}`, { hq_city: 'Ulm' }))()
    await whenBlocked(transaction, /update companies/)
    return { until: (await matches()).until, changed }
  })
  assert.equal((await changed).status, 200)
  await api.call('POST', `/api/theses/${thesis}/matches/seen?until=${until}`)
  assert.deepEqual(await newNames(), ['Regalo'])
})

test('criteria can be edited, read, undone, and taken from the report again', async () => {
  const path = `/api/theses/${thesis}`
  const derived = (await api.call('GET', `${path}/criteria`)).body.data
  assert.deepEqual([derived.is_derived, derived.criteria.length], [true, 3])
  const edited = await api.call('PATCH', path, {
    criteria: [{ text: 'Oat drinks' }, { text: 'Robots', weight: 0.5, kind: 'must', negative: true }],
  })
  const criteria = [
    { text: 'Oat drinks', weight: 1, kind: 'nice', negative: false },
    { text: 'Robots', weight: 0.5, kind: 'must', negative: true },
  ]
  assert.deepEqual(edited.body.data.criteria, criteria)
  assert.deepEqual((await api.call('GET', `${path}/criteria`)).body.data, { criteria, is_derived: false })
  const [match] = (await matches()).data
  assert.deepEqual(
    match?.reasons.map(({ criterion }) => criterion),
    ['Oat drinks', 'Robots'],
  )
  const [entry] = (await api.call('GET', `${path}/history?field=criteria`)).body.data
  assert.deepEqual([entry.from, entry.to], [null, criteria])
  const undone = await api.call('POST', `/api/actions/${edited.headers['x-action-id']}/undo`, {})
  assert.equal(undone.body.data.reverted, 1)
  assert.equal((await api.call('GET', path)).body.data.criteria, null)
  const again = await api.call('POST', `/api/actions/${undone.body.data.action_id}/undo`, {})
  assert.equal(again.status, 200)
  assert.deepEqual((await api.call('GET', path)).body.data.criteria, criteria)
  await api.call('PATCH', path, { criteria: null })
  assert.equal((await api.call('GET', `${path}/criteria`)).body.data.is_derived, true)
})

test('invalid criteria, verdicts and ids are refused with the reason', async () => {
  for (const [criteria, details] of [
    [[{ text: ' ' }], /criteria\[0\]\.text/],
    [[{ text: 'x'.repeat(301) }], /criteria\[0\]\.text.*300/],
    [[{ text: 'a', weight: 11 }], /criteria\[0\]\.weight.*10/],
    [[{ text: 'a', kind: 'should' }], /criteria\[0\]\.kind.*must, nice/],
    [[{ text: 'a', wieght: 1 }], /wieght/],
    [Array.from({ length: 31 }, () => ({ text: 'a' })), /criteria.*30/],
  ] as const) {
    const { status, body } = await api.call('PATCH', `/api/theses/${thesis}`, { criteria })
    assert.equal(status, 400)
    assert.match(body.details, details)
  }
  assert.match(
    (await judge('Kestrel', 'maybe')).body.details,
    /verdict must be one of up, down, or null, not "maybe"/,
  )
  assert.equal((await judge('Kestrel', 'up', 'th_none')).status, 404)
  const unknown = await api.call('PATCH', `/api/theses/${thesis}/matches/cmp_none`, { verdict: 'up' })
  assert.equal(unknown.status, 404)
  for (const path of ['matches', 'criteria']) {
    const { status, body } = await api.call('GET', `/api/theses/th_none/${path}`)
    assert.deepEqual([status, body.details], [404, 'No thesis has the id th_none.'])
  }
  assert.equal((await api.call('POST', '/api/theses/th_none/matches/seen')).status, 404)
  assert.equal((await api.call('POST', `/api/theses/${thesis}/matches/seen?until=soon`)).status, 400)
  assert.equal((await api.call('GET', `/api/theses/${thesis}/matches?colour=red`)).status, 400)
})
