import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { customFilterFields } from '#src/features/fields/filter-fields.ts'
import { CUSTOM_FIELD_TYPES, type CustomField } from '#src/features/fields/schema.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Fields, isSortable } from '#src/platform/filter/fields.ts'
import { type Filter, joinSort } from '#src/platform/filter/schema.ts'
import { orderBySort, parseSort } from '#src/platform/filter/sort.ts'
import { toSql } from '#src/platform/filter/to-sql.ts'
import { type ParsedFilter, parseFilter } from '#src/platform/filter/tree.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { matches } from '#src/testing/filter-predicate.ts'
import { slow } from '#src/testing/slow.ts'
import { newCompany } from '../company-row.ts'
import { companyFilterFields } from '../fields.ts'
import { insertCompanies, readCompanies } from '../store.ts'
import {
  PEOPLE,
  randomCompany,
  randomCustom,
  randomFilter,
  randomNumbers,
  randomSearches,
  TEXTS,
  TIMES,
} from './random-filters.fixture.ts'

const TREES = Number(process.env.FILTER_TREES ?? 400)
const SEED = Number(process.env.TEST_SEED ?? 1)
/** A statement costs more to send and plan than its conditions do. */
const TREES_PER_STATEMENT = 200
const COMPANIES = 120
/** How many of the companies each filter is compared on. */
const SAMPLE = 30

/** Built-in and custom ones of each type. */
let fields: Fields
const next = createRandom(SEED)
let api: TestApp
let ids: string[]
let records: Record<string, unknown>[]
/** Texts folded by the database. */
const folded = new Map<string, string>()
const fold = (text: string): string => {
  const result = folded.get(text)
  assert.notEqual(result, undefined, `${text} has not been folded`)
  return result as string
}

before(async () => {
  api = await testApp({ EMBEDDINGS: 'builtin-words' })
  const { db } = api.context
  const custom = await createCustomFields()
  fields = companyFilterFields(customFilterFields(new Map(custom.map((field) => [field.key, field]))))
  const theses: string[] = []
  for (const code of ['Zulu', 'alpha', 'Ångström'])
    theses.push((await api.call('POST', '/api/theses', { code, title: `Thesis ${code}` })).body.data.id)
  const companies = Array.from({ length: COMPANIES }, () =>
    newCompany(newId('cmp'), { ...randomCompany(next, theses), custom: randomCustom(next, custom) }),
  )
  await insertCompanies(companies).execute(db)
  for (const [index, { id }] of companies.entries()) {
    const time = TIMES[index % TIMES.length]
    const later = TIMES[Math.floor(next() * TIMES.length)]
    await sql`update companies set created_at = ${time}::timestamptz, updated_at = ${later}::timestamptz where id = ${id}`.execute(
      db,
    )
    if (index % 3 === 0)
      for (const stage of ['initial', 'meeting'].slice(0, 1 + (index % 2)))
        await api.call('POST', '/api/dealflow', {
          company_id: id,
          stage,
          status: index % 4 ? 'active' : 'won',
        })
  }
  ids = companies.map(({ id }) => id)
  records = await readRecords(db)
})
after(() => api.close())

/** A custom field of each type. */
const createCustomFields = (): Promise<CustomField[]> =>
  Promise.all(
    CUSTOM_FIELD_TYPES.map(async (type) => {
      const options = type.endsWith('select') ? ['Zulu', 'alpha', 'Ångström'].map((label) => ({ label })) : []
      const field = { entity: 'company', label: `My ${type}`, key: `my_${type}`, type, options }
      const { status, body } = await api.call('POST', '/api/fields', field)
      assert.equal(status, 201, body.details)
      return body.data
    }),
  )

/** The companies as plain records with their deals and their theses' codes. */
async function readRecords(db: Db): Promise<Record<string, unknown>[]> {
  const deals = await db.selectFrom('dealflow').select(['company_id', 'stage', 'status']).execute()
  const codes = new Map(
    (await db.selectFrom('theses').select(['id', 'code']).execute()).map(({ id, code }) => [id, code]),
  )
  const companies = (await readCompanies(db, ids)).map((company) => {
    const ofCompany = deals.filter(({ company_id }) => company_id === company.id)
    return {
      ...company,
      ...Object.fromEntries(Object.entries(company.custom).map(([key, value]) => [`custom.${key}`, value])),
      thesis_code: codes.get(company.thesis_id ?? '') ?? null,
      contacts_last_year: 0,
      has_deal: ofCompany.length > 0,
      deal_stage: ofCompany.map(({ stage }) => stage),
      deal_status: ofCompany.map(({ status }) => status),
    }
  })
  const texts = new Set([
    ...TEXTS,
    ...PEOPLE,
    ...companies.flatMap((record) =>
      Object.values({ ...record, ...record.custom }).filter((value) => typeof value === 'string'),
    ),
  ])
  const { rows } = await sql<{ text: string; folded: string }>`
    select text, fold_text(text) as folded from unnest(${[...texts]}::text[]) text`.execute(db)
  for (const row of rows) folded.set(row.text, row.folded)
  return companies
}

const parse = (filter: Filter): ParsedFilter =>
  parseFilter(filter, fields, { now: new Date(), email: null, timeZone: 'UTC' })
const expectedIds = (filter: Filter): string[] => {
  const { condition } = parse(filter)
  return records.flatMap((record) => (matches(condition, record, fold) ? [record.id as string] : []))
}

/** Which of the conditions each company matches. */
async function readMatches(
  db: Db,
  ids: unknown[],
  conditions: RawBuilder<unknown>[],
): Promise<Map<string, boolean[]>> {
  const hits = sql.join(conditions.map((condition) => sql`(${condition}) is true`))
  const { rows } = await sql<{ id: string; hits: boolean[] }>`
    select companies.id, array[${hits}] as hits from companies
    where companies.id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, hits }) => [id, hits]))
}

class Rollback extends Error {}

test('random filters match the same companies in SQL and as a predicate', async (context) => {
  context.diagnostic(`TEST_SEED=${SEED}`)
  const random = createRandom(SEED * 7919)
  const compared = api.context.db.transaction().execute(async (transaction) => {
    for (const [index, id] of ids.entries())
      if (index % 2)
        await transaction.updateTable('companies').set(randomNumbers(random)).where('id', '=', id).execute()
    await compareFilters(transaction, random, await readRecords(transaction))
    throw new Rollback()
  })
  await assert.rejects(compared, Rollback)
  context.diagnostic(`${TREES} filters`)
})

async function compareFilters(
  db: Db,
  random: () => number,
  companies: Record<string, unknown>[],
): Promise<void> {
  const list = [...fields.values()]
  let matched = 0
  for (let compared = 0; compared < TREES; compared += TREES_PER_STATEMENT) {
    const filters = Array.from({ length: TREES_PER_STATEMENT }, () =>
      random() < 0.7 ? randomFilter(random, list) : randomSearches(random, list),
    )
    const parsed = filters.map(parse)
    const start = Math.floor(random() * (COMPANIES - SAMPLE))
    const sample = companies.slice(start, start + SAMPLE)
    const found = await readMatches(
      db,
      sample.map(({ id }) => id),
      parsed.map(({ condition }) => toSql(condition)),
    )
    for (const company of sample)
      for (const [index, { condition }] of parsed.entries()) {
        const isExpected = matches(condition, company, fold)
        if (isExpected) matched++
        if (found.get(company.id as string)?.[index] !== isExpected)
          assert.fail(
            `${JSON.stringify(filters[index])} should ${isExpected ? '' : 'not '}match ${JSON.stringify(company)}`,
          )
      }
  }
  // Otherwise the filters would prove little.
  assert.ok(matched > TREES && matched < TREES * (SAMPLE - 1), String(matched))
}

const query = async (body: object) => {
  const { status, body: answer } = await api.call('POST', '/api/companies/query', { limit: 1000, ...body })
  assert.equal(status, 200, JSON.stringify(answer))
  return {
    ids: answer.data.map(({ id }: { id: string }) => id) as string[],
    total: answer.pagination.total as number,
  }
}

const text = (filter: Filter) => encodeURIComponent(JSON.stringify(filter))

test('a filter has the same matches in lists, facets, the export, and the search', async () => {
  const random = createRandom(3)
  const filters: Filter[] = [
    { field: 'status', op: 'eq', value: 'Active' },
    {
      or: [
        { field: 'country_code', op: 'eq', value: 'UK' },
        { field: 'status', op: 'is_not_empty' },
      ],
    },
    {
      and: [
        { field: 'country_code', op: 'in', value: ['de', 'NO'] },
        { field: 'llm_score_overall', op: 'gte', value: 70 },
      ],
    },
    { field: 'has_deal', op: 'eq', value: true },
    { not: { field: 'thesis_code', op: 'contains', value: 'E' } },
    ...Array.from({ length: 12 }, () => randomFilter(random, [...fields.values()])),
  ]
  for (const filter of filters) {
    const expected = expectedIds(filter).sort().reverse()
    const name = JSON.stringify(filter)
    assert.deepEqual(await query({ filter }), { ids: expected, total: expected.length }, name)
    assert.deepEqual((await query({ filter, limit: 3, offset: 2 })).ids, expected.slice(2, 5), name)
    const list = await api.call('GET', `/api/companies?limit=1000&filter=${text(filter)}`)
    assert.deepEqual(
      list.body.data.map(({ id }: { id: string }) => id),
      expected,
      name,
    )
    const byName = await api.call('GET', `/api/companies?limit=1000&sort=name,-id&filter=${text(filter)}`)
    assert.deepEqual(
      byName.body.data
        .map(({ id }: { id: string }) => id)
        .sort()
        .reverse(),
      expected,
      name,
    )
    const facets = await api.call('GET', `/api/companies/facets?filter=${text(filter)}`)
    assert.equal(facets.body.data.total, expected.length, name)
    const exported = await api.call('GET', `/api/companies/export?filter=${text(filter)}`)
    const ids = String(exported.body).match(/^cmp_[0-9a-z]+/gm) ?? []
    assert.deepEqual(ids, expected.toReversed(), name)
  }
  const [first] = records
  const similar = await api.call(
    'GET',
    `/api/companies/${first?.id}/similar?limit=100&filter=${text(filters[0] as Filter)}`,
  )
  assert.equal(similar.status, 200)
  for (const { status } of similar.body.data) assert.equal(status, 'active')
  const found = await api.call(
    'GET',
    `/api/companies/search/semantic?q=finch&mode=words&limit=100&filter=${text(filters[0] as Filter)}`,
  )
  assert.equal(found.status, 200)
  for (const { status } of found.body.data) assert.equal(status, 'active')
})

test('a facet leaves out a condition on its own field', async () => {
  const filter: Filter = {
    and: [
      { field: 'country_code', op: 'in', value: ['DE', 'FR'] },
      { field: 'revenue_eur', op: 'gte', value: 1 },
    ],
  }
  const { country_code, total } = (await api.call('GET', `/api/companies/facets?filter=${text(filter)}`)).body
    .data
  assert.equal(total, expectedIds(filter).length)
  const gb = country_code.find(({ value }: { value: string }) => value === 'GB')
  const expected = expectedIds({
    and: [
      { field: 'country_code', op: 'eq', value: 'GB' },
      { field: 'revenue_eur', op: 'gte', value: 1 },
    ],
  })
  assert.equal(gb?.count ?? 0, expected.length)
})

test('a repeated filter matches any of its values', async () => {
  for (const [parameters, filter] of [
    ['country_code=de&country_code=FR', { field: 'country_code', op: 'in', value: ['DE', 'FR'] }],
    [
      'status=Due+Diligence&status=active&status=',
      { field: 'status', op: 'in', value: ['due_diligence', 'active'] },
    ],
    [
      'industry_category=%C3%9F&industry_category=ss',
      { field: 'industry_category', op: 'in', value: ['ß', 'ss'] },
    ],
  ] as [string, Filter][]) {
    const list = await api.call('GET', `/api/companies?limit=1000&${parameters}`)
    assert.equal(list.status, 200, JSON.stringify(list.body))
    const expected = expectedIds(filter)
    assert.equal(list.body.pagination.total, expected.length)
    assert.deepEqual(
      list.body.data.map(({ id }: { id: string }) => id),
      expected.sort().reverse(),
    )
    const facets = await api.call('GET', `/api/companies/facets?${parameters}`)
    assert.equal(facets.body.data.total, expected.length)
  }
  const many = await api.call('GET', `/api/companies?${'status=x&'.repeat(101)}`)
  assert.match(many.body.details, /^status must be an array of 0 to 100 items/)
})

test('companies are sorted by every column, with empty values first or last', { skip: slow }, async () => {
  const { db } = api.context
  const filter: Filter = { field: 'country_code', op: 'ne', value: 'FR' }
  const check = async (sort: { field: string; direction?: 'asc' | 'desc'; nulls?: 'first' | 'last' }[]) => {
    const order = orderBySort(parseSort(sort, fields), sql`companies.id`)
    const { rows } = await sql<{ id: string }>`select companies.id from companies ${order}`.execute(db)
    const expected = rows.map(({ id }) => id)
    const name = JSON.stringify(sort)
    assert.deepEqual((await query({ sort })).ids, expected, name)
    const { body } = await api.call('GET', `/api/companies?limit=1000&sort=${joinSort(sort)}`)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      expected,
      joinSort(sort),
    )
    assert.deepEqual((await query({ sort, limit: 7, offset: 5 })).ids, expected.slice(5, 12), name)
    const filtered = new Set(expectedIds(filter))
    const inOrder = expected.filter((id) => filtered.has(id))
    assert.deepEqual((await query({ sort, filter, limit: 7, offset: 20 })).ids, inOrder.slice(20, 27), name)
  }
  for (const { name } of [...fields.values()].filter(isSortable))
    for (const direction of ['asc', 'desc'] as const)
      for (const nulls of ['first', 'last'] as const) await check([{ field: name, direction, nulls }])
  await check([
    { field: 'status' },
    { field: 'revenue_eur', direction: 'desc', nulls: 'last' },
    { field: 'name' },
  ])
  await check([
    { field: 'thesis_id', nulls: 'last' },
    { field: 'hq_city', direction: 'desc' },
  ])
  const byThesis = await query({ sort: [{ field: 'thesis_id', nulls: 'last' }] })
  const codes = byThesis.ids.map((id) => records.find((record) => record.id === id)?.thesis_code)
  assert.deepEqual([...new Set(codes)], ['alpha', 'Ångström', 'Zulu', null])
})

test('lists follow changes of companies, and lists by deals those of deals', async () => {
  const score: Filter = {
    or: [
      { field: 'llm_score_overall', op: 'eq', value: 55 },
      { field: 'hq_city', op: 'eq', value: 'Nowhere' },
    ],
  }
  const deals: Filter = { field: 'deal_stage', op: 'eq', value: 'Term Sheet' }
  for (const sort of [[], [{ field: 'name' }]]) {
    const before = await query({ filter: score, sort })
    const created = (await api.call('POST', '/api/companies', { name: 'New', llm_score_overall: 55 })).body
      .data.id
    const { ids, total } = await query({ filter: score, sort })
    assert.ok(ids.includes(created))
    assert.equal(total, before.total + 1)
    await api.call('PATCH', `/api/companies/${created}`, { llm_score_overall: 54 })
    assert.deepEqual(await query({ filter: score, sort }), before)
    assert.equal((await query({ filter: deals })).ids.includes(created), false)
    await api.call('POST', '/api/dealflow', { company_id: created, stage: 'term_sheet' })
    assert.equal((await query({ filter: deals })).ids.includes(created), true)
  }
})

test('deals, theses and activity take filters', async () => {
  const of = async (path: string, filter: Filter, rest = '') => {
    const { status, body } = await api.call('GET', `${path}?filter=${text(filter)}${rest}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const deals = await of('/api/dealflow', {
    and: [
      { field: 'stage', op: 'in', value: ['Meeting'] },
      { field: 'company_name', op: 'is_not_empty' },
    ],
  })
  assert.ok(deals.length > 0)
  for (const { stage } of deals) assert.equal(stage, 'meeting')
  const sorted = await of(
    '/api/dealflow',
    { field: 'created_at', op: 'lte', value: 'today' },
    '&sort=company_name,-created_at',
  )
  assert.ok(sorted.length > deals.length)
  const theses = await of('/api/theses', { field: 'code', op: 'contains', value: 'ANGSTROM' }, '&sort=-code')
  assert.deepEqual(
    theses.map(({ code }: { code: string }) => code),
    ['Ångström'],
  )
  const activity = await of('/api/activity', {
    and: [
      { field: 'user_email', op: 'eq', value: 'me' },
      { field: 'entity_type', op: 'ne', value: 'company' },
      { field: 'timestamp', op: 'gte', value: '-1d' },
    ],
  })
  assert.ok(activity.length > 0)
  for (const { entity_type } of activity) assert.notEqual(entity_type, 'company')
})
