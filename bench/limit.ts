/**
 * The limit that the service is measured against: a bare `node:http` handler that runs the best single statement
 * for each answer and sends its bytes. No validation, no headers, no log, no total.
 */
import { createServer } from 'node:http'
import pg from 'pg'
import { openPglite } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'

const time = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
const COMPANY = `id, name, country, country_code, hq_city, industry_category, activity_description, status, thesis_id,
  website, founded_year, employee_count, revenue_eur, llm_score_overall, llm_score_details, executives, financials,
  ${time('created_at')}, ${time('updated_at')}`

const LIST = `select coalesce(json_agg(row_to_json(r)), '[]')::text as body from (select ${COMPANY} from companies
  where status = $1 and country_code = $2 order by id desc limit 50) r`
const PAGE = `select coalesce(json_agg(row_to_json(r)), '[]')::text as body from (select ${COMPANY} from companies
  order by id desc limit 50 offset $1) r`
const SEARCH = `select coalesce(json_agg(row_to_json(r)), '[]')::text as body from (select ${COMPANY} from companies
  where search_text like $1 order by id desc limit 50) r`
const DETAIL = `select json_build_object(
    'company', (select row_to_json(r) from (select ${COMPANY} from companies where id = $1) r),
    'dealflow', (select row_to_json(r) from (select id, company_id,
        (select name from companies where companies.id = dealflow.company_id) as company_name, stage, probability,
        notes, status, ${time('created_at')}, ${time('updated_at')}
      from dealflow where company_id = $1 order by (status = 'active') desc, id desc limit 1) r),
    'deals', (select coalesce(json_agg(row_to_json(r)), '[]') from (select id, company_id,
        (select name from companies where companies.id = dealflow.company_id) as company_name, stage, probability,
        notes, status, ${time('created_at')}, ${time('updated_at')}
      from dealflow where company_id = $1 order by id desc limit 1000) r),
    'recent_activity', (select coalesce(json_agg(row_to_json(r)), '[]') from (select id, activity_type, entity_type,
        entity_id, company_id, user_email, ${time('"timestamp"')}, metadata
      from activity where company_id = $1 order by id desc limit 10) r))::text as body`
const CREATE = `with company as (insert into companies (id, name, country, country_code, hq_city, industry_category,
      activity_description, status, created_at, updated_at, match_key)
    select $1, name, country, country_code, hq_city, industry_category, activity_description, 'active', now(), now(),
      lower(name) from json_to_record($2::json) as r (name text, country text, country_code text, hq_city text,
      industry_category text, activity_description text) returning *),
  noted as (insert into activity (id, activity_type, entity_type, entity_id, company_id, user_email, "timestamp",
      metadata) values ($3, 'company_created', 'company', $1, $1, 'bench@example.com', now(), '{}'))
  select row_to_json(r)::text as body from (select ${COMPANY} from company) r`

type Run = (name: string, text: string, values: unknown[]) => Promise<string>

async function connect(): Promise<Run> {
  const { DATABASE_URL, DATA_DIR } = process.env
  if (DATABASE_URL) {
    const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 })
    return async (name, text, values) => (await pool.query({ name, text, values })).rows[0].body
  }
  const { pglite } = await openPglite(`${DATA_DIR}/database`)
  return async (_name, text, values) =>
    (await pglite.query<{ body: string }>(text, values)).rows[0]?.body ?? ''
}

const run = await connect()
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const body = await answer(url, request.method === 'POST' ? await text(request) : '')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})

function answer({ pathname, searchParams }: URL, body: string): Promise<string> {
  if (body) return run('create', CREATE, [newId('cmp'), body, newId('act')])
  if (pathname !== '/api/companies') return run('detail', DETAIL, [pathname.slice('/api/companies/'.length)])
  const search = searchParams.get('search')
  if (search) return run('search', SEARCH, [`%${search}%`])
  if (searchParams.has('offset')) return run('page', PAGE, [searchParams.get('offset')])
  return run('list', LIST, [searchParams.get('status'), searchParams.get('country_code')])
}

async function text(request: AsyncIterable<Buffer>): Promise<string> {
  let all = ''
  for await (const chunk of request) all += chunk
  return all
}

server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
