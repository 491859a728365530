import { type RawBuilder, sql } from 'kysely'
import type { Json } from '#src/platform/answers.ts'
import type { Db } from '#src/platform/database.ts'
import type { ListTotals, Total } from '#src/platform/list-totals.ts'
import { all, asList, type JsonPage } from '#src/platform/sql.ts'
import { companyConditions, countedFilters, filterKey, otherFilters } from './filters.ts'
import type { CompanyQuery, SORT_FIELDS } from './schema.ts'
import { companyFields } from './store.ts'

/** Up to so many matches of a search are collected and sorted; more are met soon enough along the sort's index. */
const FEW = 2000
/** From here on, rows to pass over are counted in the index alone. */
const DEEP = 1000

type SortField = (typeof SORT_FIELDS)[number]

const version = sql`(select folded + (select count(*) from company_count_deltas) from company_changes)::float8`

const sortExpression = (field: SortField): RawBuilder<unknown> =>
  field === 'created_at' ? sql`companies.id` : field === 'name' ? sql`fold_text(name)` : sql.ref(field)

function orderBy(
  key: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  descending: boolean,
): RawBuilder<unknown> {
  const direction = descending ? sql`desc nulls last` : sql`asc nulls first`
  return sql`order by ${key} ${direction}, ${id} ${descending ? sql`desc` : sql`asc`}`
}

/** `name` and `updated_at` have plain indexes, which `desc nulls last` would not use; they are never null. */
function orderOf(field: SortField, descending: boolean): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`
  if (field === 'created_at') return sql`order by companies.id ${direction}`
  if (field === 'name' || field === 'updated_at')
    return sql`order by ${sortExpression(field)} ${direction}, companies.id ${direction}`
  return orderBy(sortExpression(field), sql`companies.id`, descending)
}

/**
 * A page of companies with its exact total. The total comes from counters, or from an earlier count while no
 * company has changed; deep pages are read from whichever end is nearer.
 */
export async function listCompanies(db: Db, totals: ListTotals, query: CompanyQuery): Promise<JsonPage> {
  const { limit = 50, offset = 0, search } = query
  const key = filterKey(query)
  const count = () => countCompanies(db, query)
  const isDeep = offset > DEEP
  const expected = search || isDeep ? (totals.peek(key) ?? (await totals.at(key, 0, count))) : undefined
  const fromEnd = expected && isDeep && offset > expected.total / 2 ? expected.total : undefined
  const few = Boolean(search && expected && expected.total <= FEW)

  const page = await readCompanies(db, query, { limit, offset, fromEnd, few })
  const known = await totals.at(key, page.version, count)
  if (fromEnd === undefined || known.total === fromEnd) return { records: page.records, total: known.total }

  // The list grew or shrank meanwhile, so its end was not where the page was counted from.
  const again = await readCompanies(db, query, { limit, offset, few })
  return { records: again.records, total: (await totals.at(key, again.version, count)).total }
}

async function countCompanies(db: Db, query: CompanyQuery): Promise<Total> {
  const counted = countedFilters(query)
  const others = otherFilters(query)
  const total =
    others.length > 0
      ? sql`select count(*) from companies where ${all([...counted, ...others])}`
      : sql`select coalesce(sum(n), 0) from
          (select * from company_counts union all select * from company_count_deltas) counts where ${all(counted)}`
  const { rows } = await sql<Total>`select (${total})::float8 as total, ${version} as version`.execute(db)
  return rows[0] as Total
}

interface Reading {
  limit: number
  offset: number
  /** The exact total, when the page is to be counted from the end. */
  fromEnd?: number | undefined
  few: boolean
}

async function readCompanies(
  db: Db,
  query: CompanyQuery,
  reading: Reading,
): Promise<{ records: Json; version: number }> {
  const { rows } = await sql<{ records: Json; version: number }>`
    select (${asList(pageOf(query, reading))}) as records, ${version} as version`.execute(db)
  return rows[0] as { records: Json; version: number }
}

function pageOf(query: CompanyQuery, { limit, offset, fromEnd, few }: Reading): RawBuilder<unknown> {
  const sort = query.sort ?? '-created_at'
  const descending = sort.startsWith('-')
  const field = sort.replace('-', '') as SortField
  const where = all(companyConditions(query))
  const order = orderOf(field, descending)

  if (few)
    return sql`with matching as materialized
        (select companies.id as match_id, ${sortExpression(field)} as sort_key from companies where ${where})
      select ${companyFields} from
        (select * from matching ${orderBy(sql`sort_key`, sql`match_id`, descending)} limit ${limit} offset ${offset}) page
      join companies on companies.id = match_id ${order}`

  if (offset <= DEEP)
    return sql`select ${companyFields} from companies where ${where} ${order} limit ${limit} offset ${offset}`

  const backwards = fromEnd === undefined ? undefined : Math.max(0, fromEnd - offset - limit)
  const ids =
    fromEnd === undefined || backwards === undefined
      ? sql`${order} limit ${limit} offset ${offset}`
      : sql`${orderOf(field, !descending)}
          limit ${Math.max(0, Math.min(limit, fromEnd - offset))} offset ${backwards}`
  return sql`select ${companyFields} from
      (select companies.id as match_id from companies where ${where} ${ids}) page
    join companies on companies.id = match_id ${order}`
}
