/**
 * `npm run bench:filters -- --companies 1000000` measures pages with exact totals by filter and sort, and the refusal of
 * hostile filters, on a database of its own: at DATABASE_URL if it is set, else embedded. `--amount` is the number of
 * measured requests of each list.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Filter } from '#src/platform/filter/schema.ts'
import { createPostgres } from '#src/testing/database.ts'
import { measureHostileFilters } from './hostile-filters.ts'
import { load } from './load.ts'
import { measure, type Request } from './measure.ts'
import { type Running, startService } from './processes.ts'

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    amount: { type: 'string', default: '60' },
    connections: { type: 'string', default: '1' },
  },
})
const amount = Number(values.amount)
const server = process.env.DATABASE_URL

const country: Filter = { field: 'country_code', op: 'eq', value: 'DE' }
const score: Filter = { field: 'llm_score_overall', op: 'gte', value: 95 }

interface List {
  name: string
  filter?: Filter
  sort?: { field: string; direction?: 'asc' | 'desc'; nulls?: 'first' | 'last' }[]
}

const LISTS: List[] = [
  { name: 'unfiltered' },
  { name: 'country', filter: country },
  {
    name: 'country is not DE, or no industry (counters)',
    filter: { or: [{ not: country }, { field: 'industry_category', op: 'is_empty' }] },
  },
  { name: 'score ≥ 95', filter: score },
  { name: 'country or score ≥ 95', filter: { or: [country, score] } },
  {
    name: 'country or score ≥ 95, by revenue',
    filter: { or: [country, score] },
    sort: [{ field: 'revenue_eur', direction: 'desc' }],
  },
  {
    name: 'revenue between 1 and 2 million',
    filter: { field: 'revenue_eur', op: 'between', value: [1e6, 2e6] },
  },
  { name: 'city contains "kow"', filter: { field: 'hq_city', op: 'contains', value: 'kow' } },
  { name: 'has a deal', filter: { field: 'has_deal', op: 'eq', value: true } },
  ...[
    'name',
    'status',
    'country',
    'country_code',
    'hq_city',
    'industry_category',
    'thesis_id',
    'revenue_eur',
  ].flatMap((field): List[] => [
    { name: `by ${field}`, sort: [{ field }] },
    { name: `by ${field}, descending, empty first`, sort: [{ field, direction: 'desc', nulls: 'first' }] },
  ]),
  { name: 'by score and name', sort: [{ field: 'llm_score_overall', direction: 'desc' }, { field: 'name' }] },
]

const requestOf = ({ filter, sort }: List, offset: number): Request => ({
  method: 'POST',
  path: '/api/companies/query',
  body: JSON.stringify({ ...(filter && { filter }), ...(sort && { sort }), offset }),
})

async function firstTime({ url }: Running, list: List): Promise<number> {
  const { path: address, ...request } = requestOf(list, 0)
  const start = performance.now()
  const response = await fetch(url + address, {
    ...request,
    headers: { 'x-user-email': 'bench@example.com', 'content-type': 'application/json' },
  } as RequestInit)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${list.name}: ${response.status}`)
  return performance.now() - start
}

const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-bench-'))
const database = server ? await createPostgres(server) : undefined
try {
  const place = { databaseUrl: database?.url, dataFolder }
  await load(place, Number(values.companies))
  const service = await startService(place)
  console.log(
    `${values.companies} companies, ${values.connections} connections\n\n| list of 50 | first ms | p50 | p95 |\n|---|---:|---:|---:|`,
  )
  for (const list of LISTS) {
    const first = await firstTime(service, list)
    let page = 0
    const next = () => requestOf(list, 50 * (page++ % 10))
    const { p50, p95 } = await measure(service.url, next, { connections: Number(values.connections), amount })
    console.log(`| ${list.name} | ${[first, p50, p95].map((time) => time.toFixed(0)).join(' | ')} |`)
  }
  await measureHostileFilters(service, amount)
  await service.stop()
} finally {
  await database?.drop()
  await rm(dataFolder, { recursive: true, force: true })
}
