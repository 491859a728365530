import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { profileKey, sourceKey } from '#src/features/companies/files.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

/** Merges of companies with people and notes have 200 cases of their own. */
const CASES = Number(process.env.MERGE_CASES ?? 50)
const SEED = Number(process.env.TEST_SEED ?? 17)
/** 100 for the full proof: each of the 32 writers makes this many requests. */
const WRITES = Number(process.env.MERGE_WRITES ?? 4)
const WRITERS = 32

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const random = createRandom(SEED)
const chance = (share: number) => random() < share
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
const some = <T>(values: readonly T[], share: number): T[] => values.filter(() => chance(share))

const FIELDS: Record<string, () => unknown> = {
  country: () => pick(['Norway', ' Germany ']),
  country_code: () => pick(['NO', 'de']),
  hq_city: () => pick(['Oslo', 'Köln']),
  activity_description: () => pick(['Robots.', 'x'.repeat(3000)]),
  status: () => pick(['active', 'acquired']),
  website: () => `https://w${Math.floor(random() * 1e9)}.example`,
  founded_year: () => pick([1999, 2020]),
  revenue_eur: () => pick([0, 0.1, 1e15]),
  llm_score_overall: () => pick([0, 50]),
  llm_score_details: () => pick([{}, { why: 'é"\n' }]),
  executives: () => pick([[], [{ name: 'Zoë' }], ['Ada', 'Grace'], ['Ada', 'Mary']]),
  financials: () => ({ '2025': { revenue_eur: random() } }),
}

async function createCompany(theses: string[]): Promise<string> {
  const fields = Object.fromEntries(some(Object.entries(FIELDS), 0.5).map(([name, value]) => [name, value()]))
  const thesis_id = chance(0.3) ? pick(theses) : null
  const { id } = ok(await api.call('POST', '/api/companies', { name: `C ${random()}`, thesis_id, ...fields }))
  const keys = some([profileKey(id), sourceKey(id)], 0.4)
  await api.context.objects.write(keys.map((key) => [key, JSON.stringify({ id, key })]))
  return id
}

/** Deals that some of the companies brought. */
async function createDeals(company_id: string, companies: string[]): Promise<void> {
  while (chance(0.5)) {
    const source = chance(0.5) && { source_type: 'company', source_id: pick(companies) }
    const deal = { company_id, stage: pick(['initial', 'meeting']), ...source }
    const { id } = ok(await api.call('POST', '/api/dealflow', deal))
    if (chance(0.2)) ok(await api.call('DELETE', `/api/dealflow/${id}`))
  }
}

async function createBulkActions(ids: string[]): Promise<void> {
  while (chance(0.5)) {
    const company_ids = [pick(ids), ...some(ids, 0.5)]
    const { id, total_companies } = ok(
      await api.call('POST', '/api/bulk-actions', { action_type: 'llm_score', company_ids }),
    )
    const failed_companies = Math.floor(random() * (total_companies + 1))
    const processed_companies = total_companies - failed_companies
    const ended = chance(0.5)
      ? { status: 'cancelled' }
      : { status: 'completed', processed_companies, failed_companies }
    ok(await api.call('PATCH', `/api/bulk-actions/${id}`, ended))
  }
}

/** Everything that is stored about companies, except when what the merge changes was last changed. */
async function readAll(ids: string[]): Promise<Fields> {
  const { rows } = await sql<{ all: Fields }>`
    with deals as (select id from dealflow where company_id = any(${ids}))
    select json_build_object(
      'companies', (select json_agg(row order by row.id) from companies row where id = any(${ids})),
      'deals', (select json_agg(row order by row.id) from dealflow row where company_id = any(${ids})),
      'trash', (select json_agg(row order by row.id) from trash row where company_id = any(${ids})),
      'places', (select json_agg(row order by bulk_action_id, company_id) from bulk_action_companies row
        where company_id = any(${ids})),
      'actions', (select json_agg(json_build_array(id, status, total_companies, processed_companies, failed_companies)
        order by id) from bulk_actions)) as all`.execute(api.context.db)
  return rows[0]?.all
}

const withoutTimes = (records: Fields[] | null, ids: string[]): Fields[] | undefined =>
  records?.map((record) => (ids.includes(record.id) ? { ...record, updated_at: null } : record))

async function readShown(ids: string[]): Promise<Fields[]> {
  const shown = []
  for (const id of ids) {
    const { company, dealflow, deals } = ok(await api.call('GET', `/api/companies/${id}`))
    const dealIds = deals.map((deal: Fields) => deal.id)
    const source = await api.context.objects.read(sourceKey(id))
    shown.push([{ ...company, updated_at: null }, dealflow?.id, dealIds, source?.toString()])
  }
  return shown
}

test(`${CASES} random merges are undone to identical records (seed ${SEED})`, async () => {
  const theses: string[] = []
  for (let n = 0; n < 3; n++)
    theses.push(ok(await api.call('POST', '/api/theses', { code: `M${n}`, title: 'Thesis' })).id)
  for (let n = 0; n < CASES; n++) {
    const all: string[] = []
    do all.push(await createCompany(theses))
    while (all.length < 2 || (all.length < 6 && chance(0.6)))
    for (const id of all) await createDeals(id, all)
    await createBulkActions(all)
    // The first one may have become part of the second before.
    const isNested = all.length > 2 && chance(0.3)
    if (isNested) ok(await api.call('POST', `/api/companies/${all[1]}/merge`, { from: [all[0]] }))
    const [survivor, ...from] = (isNested ? all.slice(1) : all) as [string, ...string[]]
    const ids = [survivor, ...from]
    const previous = await readAll(all)
    const shown = await readShown(ids)

    const choose = Object.fromEntries(
      some([...Object.keys(FIELDS), 'name', 'thesis_id'], 0.3).map((field) => [field, pick(ids)]),
    )
    const { action_id, moved } = ok(
      await api.call('POST', `/api/companies/${survivor}/merge`, { from, choose }),
    )
    for (const id of all.filter((one) => one !== survivor))
      assert.equal(
        (await api.call('GET', `/api/companies/${id}`)).headers.location,
        `/api/companies/${survivor}`,
      )
    const deals = ok(await api.call('GET', `/api/dealflow?company_id=${survivor}`))
    assert.equal(deals.length, previous.deals?.length ?? 0)
    assert.ok(moved.deals <= deals.length)

    const undone = ok(await api.call('POST', `/api/actions/${action_id}/undo`, {}))
    assert.deepEqual(undone.skipped, [])
    const back = await readAll(all)
    assert.deepEqual(withoutTimes(back.companies, [survivor]), withoutTimes(previous.companies, [survivor]))
    const dealIds = previous.deals?.map(({ id }: Fields) => id) ?? []
    assert.deepEqual(withoutTimes(back.deals, dealIds), withoutTimes(previous.deals, dealIds))
    assert.deepEqual(
      [back.trash, back.places, back.actions],
      [previous.trash, previous.places, previous.actions],
    )
    assert.deepEqual(await readShown(ids), shown)
  }
})

interface Change {
  entity_id: string
  changes: Record<string, { from: unknown; to: unknown }>
}

/** Each change of a field starts from the value that the previous one wrote. */
function requireUnbroken(changes: Change[], present: Map<string, Fields>): void {
  const last = new Map<string, unknown>()
  for (const { entity_id, changes: fields } of changes)
    for (const [field, { from, to }] of Object.entries(fields)) {
      const key = `${entity_id} ${field}`
      if (last.has(key)) assert.deepEqual(from, last.get(key), `a change of ${key} was lost`)
      last.set(key, to)
    }
  for (const [key, value] of last) {
    const [id, field] = key.split(' ') as [string, string]
    const record = present.get(id)
    if (record) assert.deepEqual(record[field], value, `the last change of ${key} was lost`)
  }
}

test(`${WRITERS} writers and a merger on ten companies lose no update and leave no orphan`, async (context) => {
  const ids: string[] = []
  for (let n = 0; n < 10; n++)
    ids.push(ok(await api.call('POST', '/api/companies', { name: `Shared ${n}` })).id)
  const written: { id: string; value: string; action: string }[] = []
  const deals: string[] = []
  const refused = new Map<number, number>()
  const note = ({ status }: Answer) => refused.set(status, (refused.get(status) ?? 0) + 1)
  const writer = async (name: number) => {
    for (let n = 0; n < WRITES; n++) {
      const id = pick(ids)
      if (chance(0.3)) {
        const answer = await api.call('POST', '/api/dealflow', { company_id: id })
        if (answer.status === 201) deals.push(answer.body.data.id)
        else note(answer)
        continue
      }
      const value = `${name} ${n}`
      const answer = await api.call('PATCH', `/api/companies/${id}`, { hq_city: value })
      if (answer.status === 200) written.push({ id, value, action: String(answer.headers['x-action-id']) })
      else note(answer)
    }
  }
  let isWriting = true
  const merges: string[] = []
  const merger = async () => {
    let attemptsLeft = 100
    while (isWriting || (merges.length === 0 && attemptsLeft > 0)) {
      if (!isWriting) attemptsLeft -= 1
      const [survivor, ...from] = [...new Set([pick(ids), pick(ids), pick(ids)])] as [string, ...string[]]
      const answer = chance(0.6)
        ? await api.call('POST', `/api/companies/${survivor}/merge`, {
            from: from.length > 0 ? from : [pick(ids)],
          })
        : await api.call('POST', `/api/actions/${merges.length > 0 ? pick(merges) : 'ax_none'}/undo`, {})
      if (answer.status === 200 && answer.body.data.company) merges.push(answer.body.data.action_id)
    }
  }
  const merging = merger()
  await Promise.all(Array.from({ length: WRITERS }, (_value, n) => writer(n)))
  isWriting = false
  await merging

  const refusals = JSON.stringify(Object.fromEntries(refused))
  context.diagnostic(
    `${written.length} changes, ${deals.length} deals, ${merges.length} merges; refused: ${refusals}`,
  )
  assert.ok(written.length > 0, 'every change was refused')
  assert.ok(merges.length > 0, 'every merge was refused')
  for (const status of refused.keys()) assert.ok([400, 404, 409, 503].includes(status), `${status}`)
  const { db } = api.context
  const changes = await sql<Change>`
    select entity_id, changes from activity
    where (entity_id = any(${ids}) or company_id = any(${ids})) and changes is not null
    order by entity_id, "timestamp", id`.execute(db)
  const companies = await sql<Fields>`select * from companies where id = any(${ids})`.execute(db)
  const present = await sql<Fields>`select * from dealflow where id = any(${deals})`.execute(db)
  requireUnbroken(
    changes.rows,
    new Map([...companies.rows, ...present.rows].map((record) => [record.id, record])),
  )
  const recorded = new Set(
    changes.rows.flatMap(({ changes: fields }) => (fields.hq_city ? [String(fields.hq_city.to)] : [])),
  )
  for (const { value } of written) assert.ok(recorded.has(value), `${value} is not recorded`)

  assert.equal(present.rows.length, deals.length, 'every deal exists')
  const existing = new Set(companies.rows.map(({ id }: Fields) => id))
  for (const { company_id } of present.rows) assert.ok(existing.has(company_id), 'a deal without a company')
  for (const id of ids.filter((one) => !existing.has(one))) {
    const { status, headers } = await api.call('GET', `/api/companies/${id}`)
    assert.equal(status, 301)
    assert.ok(existing.has(String(headers.location).split('/').at(-1) as string))
  }
})
