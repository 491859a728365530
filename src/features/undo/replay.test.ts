import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { scoreExample } from '#src/features/companies/score-schema.ts'
import { utc } from '#src/platform/database/sql.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

/** 10,000 for the full proof. */
const WRITES = Number(process.env.LEDGER_WRITES ?? 120)
const SEED = Number(process.env.TEST_SEED ?? 17)

let api: TestApp
let worker: { authorization: string }
before(async () => {
  api = await testApp({ WORKER: 'off' })
  worker = { authorization: `Bearer ${await signWorkerToken(api.context.sessions, 3600)}` }
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
type Type = 'companies' | 'dealflow' | 'theses'

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
const random = randomNumbers(SEED)
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

const types: Type[] = ['companies', 'dealflow', 'theses']
const alive = { companies: new Set<string>(), dealflow: new Set<string>(), theses: new Set<string>() }
/** The text of each record after each of its changes. */
const states = new Map<string, string[]>()
const undoable: string[] = []
const trashed: string[] = []
/** When the noted states were written. */
const noted = new Map<string, string>()

const ok = ({ status, body, headers }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  const action = headers['x-action-id'] ?? body?.data?.action_id
  if (action) undoable.push(String(action))
  return body?.data
}

async function read(type: Type, id: string): Promise<Fields | undefined> {
  const { status, body } = await api.call('GET', `/api/${type}/${id}`)
  if (status === 404 || status === 301) return undefined
  const {
    enriched_data: _data,
    enriched_data_error: _error,
    company_name: _name,
    company_industry_category: _industry,
    company_llm_score_overall: _score,
    logo_url: _logo,
    company_logo_url: _companyLogo,
    ...record
  } = type === 'companies' ? body.data.company : body.data
  return record
}

/** When each record was last changed. Those in the trash and merged companies are left out. */
async function readTimes(): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; updated_at: string }>`
    select id, ${utc('updated_at')} from companies union all select id, ${utc('updated_at')} from dealflow
    union all select id, ${utc('updated_at')} from theses`.execute(api.context.db)
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
}

/** Stores the states of all records that have changed. Records that came back are alive again. */
async function note(): Promise<void> {
  const times = await readTimes()
  const previous = [...new Set(trashed.splice(0))]
  for (const id of previous) if (times.has(id)) alive[typeOf(id)].add(id)
  trashed.push(...previous.filter((id) => !times.has(id)))
  for (const type of types)
    for (const id of alive[type]) {
      if (!times.has(id)) {
        alive[type].delete(id)
        trashed.push(id)
      } else if (times.get(id) !== noted.get(id)) {
        states.set(id, [...(states.get(id) ?? []), JSON.stringify(await read(type, id))])
        noted.set(id, times.get(id) as string)
      }
    }
}

const typeOf = (id: string): Type =>
  id.startsWith('cmp_') ? 'companies' : id.startsWith('df_') ? 'dealflow' : 'theses'

const JSON_VALUES = [null, { a: 1.5e300, b: ['x', { c: '"\\é\n' }] }, { 'a"b': { deep: [1, 2.25, null] } }]
const WORDS = ['active', 'inactive', 'acquired', 'won']

/** More records would take longer to compare, and be changed less often. */
const isFull = (type: Type) => alive[type].size >= 8

async function createCompany(): Promise<void> {
  if (isFull('companies')) return
  const fields = { name: `Company ${random()}`, executives: [{ name: 'Zoë' }], revenue_eur: random() * 1e9 }
  alive.companies.add(ok(await api.call('POST', '/api/companies', fields)).id)
}

async function createDeal(): Promise<void> {
  if (isFull('dealflow')) return
  const company_id = pick([...alive.companies])
  alive.dealflow.add(ok(await api.call('POST', '/api/dealflow', { company_id, probability: 20 })).id)
}

async function createThesis(): Promise<void> {
  if (isFull('theses')) return
  const code = `T${Math.floor(random() * 1e9)}`
  alive.theses.add(ok(await api.call('POST', '/api/theses', { code, title: 'Thesis' })).id)
}

async function patch(type: Type, fields: Fields): Promise<void> {
  const ids = [...alive[type]]
  if (ids.length > 0) ok(await api.call('PATCH', `/api/${type}/${pick(ids)}`, fields))
}

const WRITE_PATHS: (() => Promise<unknown>)[] = [
  createCompany,
  createDeal,
  createThesis,
  () =>
    patch('companies', {
      status: pick(WORDS),
      hq_city: pick([null, ' Köln', 'Straßburg ']),
      financials: pick(JSON_VALUES),
      thesis_id: pick([null, ...alive.theses]),
      revenue_eur: pick([null, 0.1, 1e15, random()]),
    }),
  () =>
    patch('companies', {
      name: `Renamed ${random()}`,
      website: pick([null, `https://w${random()}.example`]),
    }),
  () =>
    patch('dealflow', {
      stage: pick(['initial', 'meeting']),
      probability: pick([null, 40]),
      notes: pick([null, 'ß']),
    }),
  () =>
    patch('theses', {
      title: `Title ${random()}`,
      report_markdown: pick([null, '# Ü\n\n', 'x'.repeat(5000)]),
    }),
  async () =>
    ok(
      await api.call('PATCH', '/api/companies', {
        ids: [...alive.companies].filter(() => random() < 0.5).concat(pick([...alive.companies])),
        changes: { status: pick(WORDS), industry_category: pick([null, ' Robots ']) },
      }),
    ),
  async () => {
    const rows = Array.from(
      { length: 3 },
      () => `${pick([...alive.companies])},Imported ${random()},"a ""b"", c"`,
    )
    const payload = `id,name,description\n${rows.join('\n')}\n`
    const headers = { 'x-user-email': 'ada@example.com', 'content-type': 'text/csv' }
    ok(await api.call('POST', '/api/companies/import', undefined, { headers, payload }))
  },
  async () => {
    const company_ids = [pick([...alive.companies])]
    const { id } = ok(await api.call('POST', '/api/bulk-actions', { action_type: 'llm_score', company_ids }))
    const overall = Math.floor(random() * 100)
    const results = [{ company_id: company_ids[0], score: { ...scoreExample, overall, thesis: null } }]
    ok(await api.call('POST', `/api/bulk-actions/${id}/results`, { results }, { headers: worker }))
    undoable.push(`ax_${id.slice(3)}`)
  },
  async () => {
    const type = pick(types)
    if (alive[type].size > 3) ok(await api.call('DELETE', `/api/${type}/${pick([...alive[type]])}`))
  },
  async () => {
    const id = pick([...alive.companies])
    const from = [...alive.companies].filter((other) => other !== id && random() < 0.2)
    if (from.length === 0 || alive.companies.size - from.length < 3) return
    const choose = random() < 0.5 ? { hq_city: pick(from), name: pick(from) } : {}
    ok(await api.call('POST', `/api/companies/${id}/merge`, { from, choose }))
  },
  async () => {
    if (trashed.length === 0) return
    const id = pick(trashed)
    const answer = await api.call('POST', `/api/trash/${id}/restore`)
    assert.ok([200, 404, 409].includes(answer.status))
    if (answer.status === 200) ok(answer)
  },
  async () => {
    const answer = await api.call('POST', `/api/actions/${pick(undoable)}/undo`, {})
    assert.ok([200, 409].includes(answer.status), JSON.stringify(answer.body))
    if (answer.status === 200) ok(answer)
  },
]

async function changesOf(id: string): Promise<Fields[]> {
  const { body } = await api.call('GET', `/api/activity?entity_id=${id}&limit=1000`)
  const listed = body.data.filter(({ changes }: Fields) => changes !== null)
  const whole = await Promise.all(
    listed.map(async (row: Fields) => (await api.call('GET', `/api/activity/${row.id}`)).body.data),
  )
  return whole.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
}

/** The time a deal entered its stage is derived: the time of the last change of the stage until then. */
function setStageTime(record: Fields, changes: Fields[]): void {
  if (!record.stage_entered_at) return
  const moves = changes.filter(
    ({ changes: fields, timestamp }) => fields.stage && timestamp <= record.updated_at,
  )
  record.stage_entered_at = moves.at(-1)?.timestamp ?? record.created_at
}

test(`${WRITES} random writes replay backwards and forwards to the same records (seed ${SEED})`, async () => {
  for (let n = 0; n < 4; n++) await createCompany().then(createThesis).then(createDeal)
  await note()
  for (let n = 0; n < WRITES; n++) {
    await pick(WRITE_PATHS)()
    await note()
  }
  let replayed = 0
  for (const type of types)
    for (const id of alive[type]) {
      const seen = states.get(id) as string[]
      const changes = await changesOf(id)
      const times = [...new Set(changes.map(({ timestamp }) => timestamp))]
      assert.equal(times.length, seen.length - 1, `${id} has a recorded change for each state`)
      assert.equal(JSON.stringify(await read(type, id)), seen.at(-1), `${id} has no other change`)
      const record = JSON.parse(seen.at(-1) as string)
      const first = JSON.parse(seen[0] as string)
      for (const [index, time] of [...times.entries()].reverse()) {
        assert.equal(JSON.stringify(record), seen[index + 1], `${id} backwards at ${time}`)
        for (const { changes: fields } of changes.filter(({ timestamp }) => timestamp === time))
          for (const [field, { from, to }] of Object.entries<Fields>(fields)) {
            assert.deepEqual(record[field], to)
            record[field] = from
          }
        record.updated_at = times[index - 1] ?? first.updated_at
        setStageTime(record, changes)
      }
      assert.equal(JSON.stringify(record), seen[0])
      for (const [index, time] of times.entries()) {
        for (const { changes: fields } of changes.filter(({ timestamp }) => timestamp === time))
          for (const [field, { to }] of Object.entries<Fields>(fields)) record[field] = to
        record.updated_at = time
        setStageTime(record, changes)
        assert.equal(JSON.stringify(record), seen[index + 1], `${id} forwards at ${time}`)
      }
      replayed += 1
      if (type === 'companies') await checkAsOf(id, seen)
    }
  assert.ok(replayed > 5)
})

/** `as_of` shows a state at the time of its change, unless the company was deleted in the same millisecond. */
async function checkAsOf(id: string, seen: string[]): Promise<void> {
  const text = pick(seen)
  const { updated_at } = JSON.parse(text)
  const { status, body } = await api.call('GET', `/api/companies/${id}?as_of=${updated_at}`)
  assert.equal(status, 200, JSON.stringify(body))
  const { enriched_data: _data, enriched_data_error: _error, logo_url: _logo, ...company } = body.data.company
  assert.equal(JSON.stringify(company), text)
}
