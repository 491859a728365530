/**
 * The upper bound for the service: a bare `node:http` handler that runs the best single statement for each request
 * and sends the result. No validation, headers, log, totals, or profiles, which are files (the measured companies have
 * none).
 */
import { createServer } from 'node:http'
import pg from 'pg'
import { identityOf, keysToFind, nameKeys } from '#src/features/duplicates/identity.ts'
import { type Candidate, rankCandidates } from '#src/features/duplicates/possible-duplicates.ts'
import { openPglite } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'

const time = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
const COMPANY = `id, name, country, country_code, hq_city, industry_category, activity_description, status, thesis_id,
  website, founded_year, employee_count, revenue_eur, llm_score_overall, llm_score_details, executives, financials,
  tags, owner_email, custom, ${time('created_at')}, ${time('updated_at')}`
const DEAL = `id, company_id, (select name from companies where companies.id = company_id) as company_name,
  (select industry_category from companies where companies.id = company_id) as company_industry_category,
  (select llm_score_overall from companies where companies.id = company_id) as company_llm_score_overall,
  stage, probability, notes, status, owner_email, amount_eur, round, valuation_eur, ownership_percent, source, lost_reason,
  custom, expected_close_on, ${time('stage_entered_at')}, ${time('created_at')}, ${time('updated_at')}`

const LIST = `select coalesce(json_agg(row_to_json(r)), '[]')::text as body from (select ${COMPANY} from companies
  where status = $1 and country_code = $2 order by id desc limit 50 offset $3) r`
const PAGE = `select coalesce(json_agg(row_to_json(r)), '[]')::text as body from (select ${COMPANY} from companies
  order by id desc limit 50 offset $1) r`
const SEARCH = `select coalesce(json_agg(row_to_json(r)), '[]')::text as body from (select ${COMPANY} from companies
  where search_text like $1 order by id desc limit 50) r`
const DETAIL = `select json_build_object(
    'company', (select row_to_json(r) from (select ${COMPANY} from companies where id = $1) r),
    'dealflow', (select row_to_json(r) from (select ${DEAL} from dealflow where company_id = $1
      order by (status = 'active') desc, id desc limit 1) r),
    'deals', (select coalesce(json_agg(row_to_json(r)), '[]') from (select ${DEAL} from dealflow where company_id = $1
      order by id desc limit 1000) r),
    'recent_activity', (select coalesce(json_agg(row_to_json(r)), '[]') from (select id, activity_type, entity_type,
        entity_id, case when entity_type in ('company', 'dealflow')
          then coalesce((select name from companies where companies.id = company_id),
            (select name from trash where trash.id = activity.company_id)) end as entity_name,
        company_id, user_email, ${time('"timestamp"')}, metadata, changes, action_id, via
      from activity where company_id = any(array[$1] || array(select id from trash
        where company_id = $1 and entity_type = 'company' and parent_id is not null))
      order by id desc limit 10) r))::text as body`
const CREATE = `with company as (insert into companies (id, name, country, country_code, hq_city, industry_category,
      activity_description, status, created_at, updated_at)
    select $1, name, country, country_code, hq_city, industry_category, activity_description, 'active', now(), now()
      from json_to_record($2::json) as r (name text, country text, country_code text, hq_city text,
      industry_category text, activity_description text) returning *),
  action as (insert into actions (id, kind, user_email, created_at, records)
    values ($4, 'create', 'bench@example.com', now(), 1)),
  noted as (insert into activity (id, activity_type, entity_type, entity_id, company_id, user_email, "timestamp",
      metadata, action_id, via)
    values ($3, 'company_created', 'company', $1, $1, 'bench@example.com', now(), '{}', $4, 'request')),
  identity as (insert into company_identities (company_id, domain, name, country, name_start, name_end, name_edges)
    values ($1, $5, $6, $7, $8, $9, $10))
  select (select row_to_json(r)::text from (select ${COMPANY} from company) r) as body,
    (select json_agg(json_build_object('identity', found, 'company', r))
      from duplicate_candidates($1, $5, $7, $8, $11, $9, $12, $10, $13, 11, 50) found cross join lateral (
        select companies.id, companies.name, website, companies.country, country_code, hq_city, industry_category, status,
          ${time('created_at')}
        from companies where companies.id = company_id) r) as candidates`

const NOTE = `id, kind, title, body, ${time('happened_at')}, mentions, pinned, parent_id, visibility, author_email, source,
  ${time('created_at')}, ${time('updated_at')}`
const ABOUT = `(select json_agg(json_build_object('type', target_type, 'id', target_id, 'name',
  (select name from companies where companies.id = target_id))) from links where record_id = notes.id) as about`
const CREATE_NOTE = `with note as (insert into notes (id, kind, body, happened_at, author_email, created_at, updated_at)
    values ($1, 'call', $2, now(), 'bench@example.com', now(), now()) returning *),
  link as (insert into links (record_id, relation, target_type, target_id, position)
    values ($1, 'about', 'company', $3, 0)),
  action as (insert into actions (id, kind, user_email, created_at, records)
    values ($4, 'create', 'bench@example.com', now(), 1)),
  noted as (insert into activity (id, activity_type, entity_type, entity_id, user_email, "timestamp", metadata,
      action_id, via)
    values ($5, 'note_created', 'note', $1, 'bench@example.com', now(), '{}', $4, 'request'))
  select (select row_to_json(r)::text from (select ${NOTE}, json_build_array(json_build_object('type', 'company',
    'id', $3::text, 'name', (select name from companies where id = $3))) as about from note) r) as body`
const notesWhere = (condition: string) => `select coalesce(json_agg(row_to_json(r)), '[]')::text as body
  from (select ${NOTE}, ${ABOUT} from notes where ${condition} order by happened_at desc, id desc limit 50) r`
const LATEST_NOTES = notesWhere('parent_id is null')
const FOUND_NOTES = notesWhere('search_words @@ search_query($1)')
const NOTES_ABOUT = notesWhere(
  "id in (select record_id from links where target_id = $1 and relation = 'about')",
)

type Run = (name: string, text: string, values: unknown[]) => Promise<Row>

interface Row {
  body: string
  candidates?: Candidate[] | null
}

async function connect(): Promise<Run> {
  const { DATABASE_URL, DATA_DIR } = process.env
  if (DATABASE_URL) {
    const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 })
    return async (name, text, values) => (await pool.query({ name, text, values })).rows[0]
  }
  const { pglite } = await openPglite(`${DATA_DIR}/database`)
  return async (_name, text, values) => (await pglite.query<Row>(text, values)).rows[0] as Row
}

const run = await connect()
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const body = await answer(url, request.method === 'POST' ? await text(request) : '')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})

async function answer({ pathname, searchParams }: URL, body: string): Promise<string> {
  if (body) return pathname === '/api/notes' ? createNote(body) : create(body)
  return (await read(pathname, searchParams)).body
}

function readNotes(searchParams: URLSearchParams): Promise<Row> {
  const [search, about] = [searchParams.get('search'), searchParams.get('about')]
  if (search) return run('found-notes', FOUND_NOTES, [search])
  return about ? run('notes-about', NOTES_ABOUT, [about]) : run('latest-notes', LATEST_NOTES, [])
}

function read(pathname: string, searchParams: URLSearchParams): Promise<Row> {
  if (pathname === '/api/notes') return readNotes(searchParams)
  if (pathname !== '/api/companies') return run('detail', DETAIL, [pathname.slice('/api/companies/'.length)])
  const search = searchParams.get('search')
  if (search) return run('search', SEARCH, [`%${search}%`])
  const offset = searchParams.get('offset') ?? 0
  if (searchParams.has('status'))
    return run('list', LIST, [searchParams.get('status'), searchParams.get('country_code'), offset])
  return run('page', PAGE, [offset])
}

async function createNote(json: string): Promise<string> {
  const { body, about } = JSON.parse(json)
  const values = [newId('note'), body, about[0].id, newId('ax'), newId('act')]
  return (await run('create-note', CREATE_NOTE, values)).body
}

/** With the possible duplicates, which the response has. */
async function create(json: string): Promise<string> {
  const identity = identityOf(JSON.parse(json))
  const { domain, name, country } = identity
  const { name_start, name_end, name_edges } = nameKeys(name)
  const [, other] = keysToFind(name)
  const { body, candidates } = await run('create', CREATE, [
    ...[
      newId('cmp'),
      json,
      newId('act'),
      newId('ax'),
      domain,
      name,
      country,
      name_start,
      name_end,
      name_edges,
    ],
    ...[other?.name_start, other?.name_end, other?.name_edges],
  ])
  return `${body.slice(0, -1)},"possible_duplicates":${JSON.stringify(rankCandidates(identity, candidates ?? []))}}`
}

async function text(request: AsyncIterable<Buffer>): Promise<string> {
  let all = ''
  for await (const chunk of request) all += chunk
  return all
}

server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
