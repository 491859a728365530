/**
 * `npm run bench:filters -- --companies 1000000` measures pages with exact totals by filter and sort, and the refusal of
 * hostile filters, on a database of its own: at DATABASE_URL if it is set, else embedded. `--custom-fields 30` gives the
 * companies that many custom fields of every type, measures lists by them, and how long a write waits while their indexes are
 * built. `--amount` is the number of measured requests of each list, `--connections 1,32` how many connections send them. Exits
 * with 1 if a goal is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { maintainFieldIndexes } from '#src/features/fields/indexes.ts'
import type { CustomFieldType } from '#src/features/fields/schema.ts'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import type { Filter, FilterLeaf } from '#src/platform/filter/schema.ts'
import { createPostgres } from '#src/testing/database.ts'
import { companyOf } from './companies.ts'
import { fieldTypes } from './custom-fields.ts'
import { measureHostileFilters } from './hostile-filters.ts'
import { load, type Place, TAG } from './load.ts'
import { measure, type Request } from './measure.ts'
import { type Running, startService } from './processes.ts'

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    amount: { type: 'string', default: '60' },
    connections: { type: 'string', default: '1,32' },
    'custom-fields': { type: 'string', default: '0' },
  },
})
const customFields = Number(values['custom-fields'])
const amount = Number(values.amount)
const connectionCounts = values.connections.split(',').map(Number)
const server = process.env.DATABASE_URL

const country: Filter = { field: 'country_code', op: 'eq', value: 'DE' }
const score: Filter = { field: 'llm_score_overall', op: 'gte', value: 95 }

interface List {
  name: string
  filter?: Filter
  sort?: { field: string; direction?: 'asc' | 'desc'; nulls?: 'first' | 'last' }[]
  /** The most milliseconds: the first time, and at p95 over one connection and over 32. */
  goal?: { first?: number; alone?: number; many?: number }
}

/** Lists by one custom field or tag, and those by two conditions of which one has to hold. */
const ONE_FIELD = { alone: 30, many: 60 }
const A_TAG = { alone: 40 }
const EITHER = { first: 300, alone: 40 }
/** Every list of an embedded database with 20,000 companies. */
const EMBEDDED = { alone: 100 }

const LISTS: List[] = [
  { name: 'unfiltered' },
  { name: 'country', filter: country },
  {
    name: 'country is not DE, or no industry (counters)',
    filter: { or: [{ not: country }, { field: 'industry_category', op: 'is_empty' }] },
  },
  { name: 'score ≥ 95', filter: score },
  { name: 'country or score ≥ 95', filter: { or: [country, score] }, goal: EITHER },
  {
    name: 'country or score ≥ 95, by revenue',
    filter: { or: [country, score] },
    sort: [{ field: 'revenue_eur', direction: 'desc' }],
    goal: EITHER,
  },
  {
    name: 'revenue between 1 and 2 million',
    filter: { field: 'revenue_eur', op: 'between', value: [1e6, 2e6] },
  },
  { name: 'city contains "kow"', filter: { field: 'hq_city', op: 'contains', value: 'kow' } },
  {
    name: 'about ten of a million by revenue, sorted by name',
    filter: { field: 'revenue_eur', op: 'between', value: [5_000_000, 5_000_100] },
    sort: [{ field: 'name' }],
  },
  {
    name: 'about ten of a million by score, employees, and a city without an index, sorted by revenue',
    filter: {
      and: [
        { field: 'llm_score_overall', op: 'eq', value: 50 },
        { field: 'employee_count', op: 'between', value: [100, 104] },
        { field: 'hq_city', op: 'contains', value: 'kow' },
      ],
    },
    sort: [{ field: 'revenue_eur', direction: 'desc' }],
  },
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

/** A condition on the custom field of each type that one company in 25 to 1,000 meets. */
const CUSTOM_CONDITIONS: Partial<Record<CustomFieldType, Omit<FilterLeaf, 'field'>>> = {
  text: { op: 'eq', value: 'Region 77' },
  number: { op: 'between', value: [5000, 5100] },
  money: { op: 'lt', value: 1_000_000 },
  date: { op: 'eq', value: '2012-04-12' },
  select: { op: 'eq', value: 'Option 7' },
  multi_select: { op: 'in', value: ['Option 7'] },
  user: { op: 'eq', value: 'user-7@example.com' },
}

/** Lists by the first custom field of each type, and by a tag that one company in a hundred has. */
function customLists(): List[] {
  const conditions = Object.entries(CUSTOM_CONDITIONS).flatMap(([type, condition]) => {
    const index = fieldTypes(customFields).indexOf(type as CustomFieldType)
    return index < 0 ? [] : [{ type, leaf: { field: `custom.bench_${index}`, ...condition } }]
  })
  const [first, second] = conditions
  if (!first || !second) return []
  return [
    { name: 'a tag', filter: { field: 'tags', op: 'in', value: [TAG] }, goal: A_TAG },
    ...conditions.map(({ type, leaf }): List => ({ name: `custom ${type}`, filter: leaf, goal: ONE_FIELD })),
    ...conditions
      .filter(({ type }) => type !== 'multi_select')
      .map(
        ({ type, leaf }): List => ({
          name: `by custom ${type}`,
          sort: [{ field: leaf.field }],
          goal: ONE_FIELD,
        }),
      ),
    { name: 'custom text or number', filter: { or: [first.leaf, second.leaf] }, goal: EITHER },
    { name: 'country or custom number', filter: { or: [country, second.leaf] }, goal: EITHER },
  ]
}

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
    headers: HEADERS,
  } as RequestInit)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${list.name}: ${response.status}`)
  return performance.now() - start
}

const HEADERS = { 'x-user-email': 'bench@example.com', 'content-type': 'application/json' }

/** How many indexes the custom fields have. */
const indexCount = (): number =>
  fieldTypes(customFields).reduce(
    (sum, type) => sum + (type === 'long_text' ? 0 : type === 'text' ? 2 : 1),
    0,
  )

async function builtIndexes(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_index join pg_class on pg_class.oid = indexrelid
    where relname like 'custom\\_fld\\_%' and indisvalid`.execute(db)
  return rows[0]?.n ?? 0
}

/** Creates companies one after another while the service builds the indexes of the custom fields. */
async function writeDuringBuild({ url }: Running, db: Db): Promise<void> {
  const start = performance.now()
  let longest = 0
  for (let n = 9_000_000; (await builtIndexes(db)) < indexCount(); n++) {
    const sent = performance.now()
    const body = JSON.stringify(companyOf(n))
    const response = await fetch(`${url}/api/companies`, { method: 'POST', headers: HEADERS, body })
    if (!response.ok) throw new Error(`Creation: ${response.status} ${await response.text()}`)
    longest = Math.max(longest, performance.now() - sent)
    await sleep(100)
  }
  await sql`vacuum analyze companies`.execute(db)
  console.log(
    `Building ${indexCount()} indexes of ${customFields} custom fields took ${((performance.now() - start) / 1000).toFixed(0)} s; ` +
      `the longest creation meanwhile took ${longest.toFixed(0)} ms.\n`,
  )
}

/** Starts the service and waits until the indexes are built. Only one process can open the embedded database. */
async function startWithIndexes(place: Place): Promise<Running> {
  const { background: db, close } = await openDatabase(place)
  try {
    if (!place.databaseUrl) await maintainFieldIndexes(db, AbortSignal.timeout(3_600_000), async () => false)
    else if (customFields > 0) {
      const service = await startService(place)
      await writeDuringBuild(service, db)
      return service
    }
  } finally {
    await close()
  }
  return startService(place)
}

async function measureList(service: Running, list: List): Promise<void> {
  const first = await firstTime(service, list)
  const times = [first]
  const missed: string[] = []
  const goal = { ...list.goal, ...(!server && EMBEDDED) }
  const check = (what: string, time: number, most: number | undefined) => {
    if (most !== undefined && time > most) missed.push(`${what} at most ${most}`)
  }
  check('first', first, goal.first)
  let page = 0
  const next = () => requestOf(list, 50 * (page++ % 10))
  for (const connections of connectionCounts) {
    const { p50, p95 } = await measure(service.url, next, { connections, amount: amount * connections })
    times.push(p50, p95)
    check(`p95, ${connections}`, p95, connections === 1 ? goal.alone : server ? goal.many : undefined)
  }
  if (missed.length > 0) process.exitCode = 1
  const verdict = missed.length > 0 ? `NOT MET: ${missed.join(', ')}` : list.goal ? 'met' : ''
  console.log(`| ${list.name} | ${times.map((time) => time.toFixed(0)).join(' | ')} | ${verdict} |`)
}

const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-bench-'))
const database = server ? await createPostgres(server) : undefined
try {
  const place = { databaseUrl: database?.url, dataFolder }
  await load(place, Number(values.companies), customFields)
  const service = await startWithIndexes(place)
  const columns = connectionCounts.flatMap((connections) => [`p50, ${connections}`, `p95, ${connections}`])
  console.log(
    `${values.companies} companies; milliseconds by number of connections\n\n` +
      `| list of 50 | first | ${columns.join(' | ')} | |\n|---|${columns.map(() => '---:|').join('')}---:|---|`,
  )
  for (const list of [...LISTS, ...customLists()]) await measureList(service, list)
  await measureHostileFilters(service, amount)
  await service.stop()
} finally {
  await database?.drop()
  await rm(dataFolder, { recursive: true, force: true })
}
