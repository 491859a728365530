import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { COUNTERS } from '#src/counters.ts'
import { foldCounters } from '#src/platform/database/counters.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { type StoredCompany as Company, newCompany } from '../company-row.ts'
import type { NewCompany } from '../schema.ts'
import { insertCompanies } from '../store.ts'
import type { CompanyFacets } from './facets-schema.ts'

let api: TestApp
let thesis_id: string
let everyone: Company[]
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  thesis_id = (await api.call('POST', '/api/theses', { code: 'FACET', title: 'Of facets' })).body.data.id
  const companies = Array.from({ length: 240 }, (_value, n) =>
    newCompany(newId('cmp'), {
      name: `Number ${n} ${n % 7 === 0 ? 'Søven' : ''}`,
      status: n % 3 ? 'active' : 'inactive',
      country_code: ['DE', 'FR', 'NO', null][n % 4] as string | null,
      industry_category: n % 5 ? `Industry ${n % 60}` : null,
      thesis_id: n % 2 ? thesis_id : null,
      llm_score_overall: n % 6 ? (n * 13) % 101 : null,
    }),
  )
  await insertCompanies(companies).execute(api.context.db)
  everyone = companies
})
after(() => api.close())

async function facets(query: string): Promise<CompanyFacets> {
  const { status, body } = await api.call('GET', `/api/companies/facets?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

type Conditions = Record<string, (company: Company) => boolean>

/** The companies that meet all conditions, except one. */
const passing = (conditions: Conditions, except?: string) =>
  everyone.filter((company) =>
    Object.entries(conditions).every(([name, passes]) => name === except || passes(company)),
  )

function countValues(companies: Company[], field: keyof Company) {
  const counts = new Map<unknown, number>()
  for (const company of companies) counts.set(company[field], (counts.get(company[field]) ?? 0) + 1)
  return [...counts].sort(
    ([a, m], [b, n]) => n - m || (a === null ? 1 : b === null ? -1 : String(a) < String(b) ? -1 : 1),
  )
}

const score = ({ llm_score_overall }: Company) => llm_score_overall ?? -1

test('each facet applies all filters except its own', async () => {
  const some = everyone.slice(10, 90).map(({ id }) => id)
  const known: Conditions = {
    status: ({ status }) => status === 'active',
    country_code: ({ country_code }) => country_code === 'FR',
    industry_category: ({ industry_category }) => industry_category === 'Industry 17',
    thesis_id: (company) => company.thesis_id === thesis_id,
    min_score: (company) => score(company) >= 45,
    search: ({ name }) => name.includes('Søven'),
    ids: ({ id }) => some.includes(id),
  }
  const texts: Record<string, string> = {
    status: 'active',
    country_code: 'fr',
    industry_category: 'Industry 17',
    thesis_id,
    min_score: '45',
    search: 'SOVEN',
    ids: some.join(','),
  }
  for (const folded of [false, true]) {
    if (folded) await foldCounters(api.context.db, COUNTERS)
    for (const names of [
      [],
      ['status'],
      ['status', 'country_code'],
      ['industry_category', 'country_code', 'thesis_id'],
      ['min_score'],
      ['status', 'thesis_id', 'min_score'],
      ['search'],
      ['search', 'country_code', 'min_score'],
      ['ids', 'status', 'min_score'],
    ]) {
      const query = names.map((name) => `${name}=${encodeURIComponent(texts[name] as string)}`).join('&')
      const conditions = Object.fromEntries(names.map((name) => [name, known[name] as () => boolean]))
      const found = await facets(query)
      assert.equal(found.total, passing(conditions).length, query)
      for (const field of ['status', 'country_code', 'industry_category', 'thesis_id'] as const)
        assert.deepEqual(
          found[field].map(({ value, count }) => [value, count]),
          countValues(passing(conditions, field), field).slice(0, 50),
          `${field} of ${query}`,
        )
      const scored = passing(conditions, 'min_score')
      assert.equal(found.llm_score.unscored, scored.filter((company) => score(company) < 0).length, query)
      assert.deepEqual(
        found.llm_score.buckets.map(({ from, to, count }) => [from, to, count]),
        Array.from({ length: 10 }, (_value, n) => {
          const [from, to] = [n * 10, n === 9 ? 100 : n * 10 + 9]
          const inside = scored.filter((company) => score(company) >= from && score(company) <= to)
          return [from, to, inside.length]
        }),
        query,
      )
    }
  }
})

test('countries and theses have names, and blank is a value', async () => {
  const { country_code, thesis_id: theses } = await facets('')
  assert.deepEqual(country_code[0], { value: 'DE', name: 'Germany', count: 60 })
  assert.deepEqual(country_code[3], { value: null, name: null, count: 60 })
  assert.deepEqual(theses, [
    { value: thesis_id, code: 'FACET', title: 'Of facets', count: 120 },
    { value: null, code: null, title: null, count: 120 },
  ])
  await api.call('PATCH', `/api/theses/${thesis_id}`, { title: 'Renamed' })
  assert.equal((await facets('')).thesis_id[0]?.title, 'Renamed')
})

test('cached facets are discarded after a change', async () => {
  const body: NewCompany = { name: 'New', status: 'unheard_of', llm_score_overall: 100 }
  const before = await facets('')
  const [first, second] = await Promise.all([facets(''), facets('')])
  assert.deepEqual([first, second], [before, before])
  const { id } = (await api.call('POST', '/api/companies', body)).body.data
  const after = await facets('')
  assert.equal(after.total, before.total + 1)
  assert.equal(after.status.at(-1)?.value, 'unheard_of')
  const last = (of: CompanyFacets) => of.llm_score.buckets[9]?.count ?? 0
  assert.equal(last(after), last(before) + 1)
  await api.call('PATCH', `/api/companies/${id}`, { llm_score_overall: null })
  assert.equal(last(await facets('')), last(before))
})

test('a facet lists the 50 most frequent values', async () => {
  const many = Array.from({ length: 60 }, (_value, n) =>
    newCompany(newId('cmp'), { name: `M${n}`, status: 'many', industry_category: `I${n % 59}` }),
  )
  await insertCompanies(many).execute(api.context.db)
  for (const query of ['status=many', 'status=many&search=m']) {
    const { industry_category } = await facets(query)
    assert.equal(industry_category.length, 50)
    assert.deepEqual(industry_category[0], { value: 'I0', count: 2 })
  }
})

test('without matches all counts are zero, and an unknown filter is a 400', async () => {
  const { total, status, llm_score } = await facets('search=nothing-at-all')
  assert.deepEqual([total, status, llm_score.unscored, llm_score.buckets.length], [0, [], 0, 10])
  for (const [query, message] of [
    ['limit=5', /limit is not a known query parameter\. Known here: status, country_code/],
    ['min_score=high', /min_score must be a whole number from .*, not "high"/],
  ] as const) {
    const { status, body } = await api.call('GET', `/api/companies/facets?${query}`)
    assert.equal(status, 400)
    assert.match(body.details, message)
  }
})

interface Sliced {
  status: string
  country_code: string | null
  tags: string[]
  owner_email: string | null
  llm_score_overall: number | null
  custom: { size?: string }
}

test('a facet ignores what a filter tree demands of its own field, whatever the operator', async () => {
  await api.call('GET', `/api/users/${ada}`)
  const options = [{ label: 'Small' }, { label: 'Large' }]
  const field = { entity: 'company', label: 'Size', key: 'size', type: 'select', options }
  const { data } = (await api.call('POST', '/api/fields', field)).body
  const [small, large] = data.options.map(({ id }: { id: string }) => id)
  const sliced = Array.from(
    { length: 96 },
    (_value, n): Sliced => ({
      status: n % 3 ? 'active' : 'passed',
      country_code: ['DE', 'FR', null][n % 3] as string | null,
      tags: [['a'], ['a', 'b'], [], ['c']][n % 4] as string[],
      owner_email: n % 5 ? null : ada,
      llm_score_overall: n % 7 ? n : null,
      custom: n % 2 ? { size: n % 4 === 1 ? small : large } : {},
    }),
  )
  const rows = sliced.map((row) => newCompany(newId('cmp'), { ...row, name: 'Sliced' }))
  await insertCompanies(rows).execute(api.context.db)
  const parts: Record<string, [object, (row: Sliced) => boolean]> = {
    status: [{ field: 'status', op: 'ne', value: 'passed' }, ({ status }) => status !== 'passed'],
    country_code: [
      {
        or: [
          { field: 'country_code', op: 'is_empty' },
          { field: 'country_code', op: 'eq', value: 'DE' },
        ],
      },
      ({ country_code }) => country_code !== 'FR',
    ],
    tags: [{ not: { field: 'tags', op: 'eq', value: 'b' } }, ({ tags }) => !tags.includes('b')],
    owner_email: [{ field: 'owner_email', op: 'eq', value: 'me' }, ({ owner_email }) => owner_email === ada],
    llm_score_overall: [
      { field: 'llm_score_overall', op: 'between', value: [20, 79] },
      ({ llm_score_overall: score }) => score !== null && score >= 20 && score <= 79,
    ],
    'custom.size': [
      { field: 'custom.size', op: 'in', value: [small] },
      ({ custom: { size } }) => size === small,
    ],
  }
  const names = Object.keys(parts)
  const valuesOf: Record<string, (row: Sliced) => unknown[]> = {
    status: ({ status }) => [status],
    country_code: (row) => [row.country_code],
    tags: ({ tags }) => (tags.length > 0 ? tags : [null]),
    owner_email: (row) => [row.owner_email],
    'custom.size': ({ custom }) => [custom.size ?? null],
  }
  const check = async (chosen: string[]) => {
    const tree = {
      and: [{ field: 'name', op: 'eq', value: 'Sliced' }, ...chosen.map((name) => parts[name]?.[0])],
    }
    const found = await facets(`custom=size&filter=${encodeURIComponent(JSON.stringify(tree))}`)
    const passing = (except?: string) =>
      sliced.filter((row) => chosen.every((name) => name === except || parts[name]?.[1](row)))
    assert.equal(found.total, passing().length, `${chosen}`)
    for (const [name, values] of Object.entries(valuesOf)) {
      const expected: Record<string, number> = {}
      for (const value of passing(name).flatMap(values))
        expected[`${value}`] = (expected[`${value}`] ?? 0) + 1
      const facet = name === 'custom.size' ? found.custom.size : found[name as 'status']
      assert.deepEqual(
        Object.fromEntries((facet ?? []).map(({ value, count }) => [`${value}`, count])),
        expected,
        `${name} of ${chosen}`,
      )
    }
    const scored = passing('llm_score_overall').filter((row) => row.llm_score_overall !== null)
    assert.equal(
      found.llm_score.buckets.reduce((sum, { count }) => sum + count, 0),
      scored.length,
      `scores of ${chosen}`,
    )
  }
  for (let bits = 0; bits < 2 ** names.length; bits++)
    await check(names.filter((_name, n) => bits & (1 << n)))
})

test('a filter tree of counted columns and scores has the facets of the same simple filters', async () => {
  const tree = JSON.stringify({
    and: [
      { and: [{ field: 'status', op: 'in', value: ['active'] }] },
      { field: 'llm_score_overall', op: 'gte', value: 45 },
      { or: [{ field: 'country_code', op: 'in', value: ['FR', 'NO'] }] },
    ],
  })
  assert.deepEqual(
    await facets(`filter=${encodeURIComponent(tree)}`),
    await facets('status=active&min_score=45&country_code=FR&country_code=NO'),
  )
})
