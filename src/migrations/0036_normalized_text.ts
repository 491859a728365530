import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { parseExactJson } from '#src/platform/schema/exact-json.ts'
import { normalizeName, normalizeText, normalizeTexts } from '#src/platform/schema/normalize-text.ts'

/** Of which the rows that need it are looked up in one statement. */
const PAGE_ROWS = 5000
/** Of which whole rows are read at a time. A company has up to 280 KB. */
const BATCH_ROWS = 100

/** Characters that `normalizeText` may remove or replace, for PostgreSQL. */
const SUSPECT =
  '[\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F\\u202A-\\u202F\\u205F-\\u206F' +
  '\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A' +
  '\\U000E0000-\\U000E0FFF]'
const FULL_WIDTH = '[\\uFF01-\\uFF5E]'

type Cell = string | string[] | null
type Row = Record<string, Cell>
type Kind = keyof typeof KINDS

interface TextTable {
  name: string
  /** The primary key. */
  key?: string
  columns: Record<string, Kind>
  /** The columns that must be unique together. Few tables have some, and these have few rows. */
  unique?: readonly string[]
}

const trimmed = (text: string, normalize = normalizeText): string => normalize(text).trim()

/** The normalized value of each kind of column. */
const KINDS = {
  name: { type: 'text', normalize: (text: string) => trimmed(text, normalizeName) || text },
  label: { type: 'text', normalize: (text: string) => trimmed(text) || text },
  text: { type: 'text', normalize: (text: string) => trimmed(text) || null },
  prose: { type: 'text', normalize: (text: string) => normalizeText(text) },
  json: { type: 'json', normalize: (text: string) => normalizeJson(text) },
  options: { type: 'json', normalize: normalizeOptions },
  custom: { type: 'jsonb', normalize: (text: string) => normalizeJson(text, withoutBlanks) },
  tags: { type: 'text[]', normalize: normalizeTags },
  trash: { type: 'json', normalize: (text: string) => normalizeJson(text, normalizeTrashed) },
} as const

const CUSTOM = { custom: 'custom' } as const
const COMPANY: Record<string, Kind> = {
  name: 'name',
  country: 'text',
  hq_city: 'text',
  industry_category: 'text',
  activity_description: 'text',
  website: 'text',
  llm_score_details: 'json',
  executives: 'json',
  financials: 'json',
  tags: 'tags',
  ...CUSTOM,
}
const DEAL: Record<string, Kind> = {
  notes: 'prose',
  round: 'text',
  source: 'text',
  lost_reason: 'text',
  ...CUSTOM,
}
const THESIS: Record<string, Kind> = {
  code: 'name',
  title: 'label',
  summary: 'prose',
  report_markdown: 'prose',
  criteria: 'json',
}

const TABLES: TextTable[] = [
  { name: 'theses', columns: THESIS, unique: ['code'] },
  { name: 'companies', columns: COMPANY },
  { name: 'dealflow', columns: DEAL },
  { name: 'trash', columns: { name: 'name', content: 'trash' } },
  { name: 'views', columns: { name: 'name', content: 'json' } },
  {
    name: 'fields',
    columns: { label: 'label', options: 'options', entity: 'label' },
    unique: ['entity', 'label'],
  },
  { name: 'deal_stage_config', key: 'is_only', columns: { stages: 'json' } },
  { name: 'users', key: 'email', columns: { name: 'name', preferences: 'json' } },
  { name: 'api_keys', columns: { name: 'name' } },
]

/**
 * Texts are normalized when they are written since this version; those that are stored become what they would be now. A
 * row whose name would be blank, or equal to that of another, stays as it is. The ledger stays too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES) {
    const changed = await normalizeTable(db, table)
    if (table.name === 'fields' && changed > 0)
      await sql`update field_version set version = gen_random_uuid()`.execute(db)
  }
}

/** Returns how many rows were changed. */
async function normalizeTable(db: Kysely<unknown>, table: TextTable): Promise<number> {
  const key = sql`${sql.id(table.key ?? 'id')}::text collate "C"`
  let changed = 0
  for (let after = '', isLast = false; !isLast; ) {
    const { rows: page } = await sql<{ last: string | null; suspects: string[] | null }>`
      select max(row_key) as last, array_agg(row_key order by row_key) filter (where ${isSuspect(table)}) as suspects
      from (select ${key} as row_key, * from ${sql.table(table.name)} where ${key} > ${after}
        order by ${key} limit ${PAGE_ROWS}) page`.execute(db)
    const { last = null, suspects } = page[0] ?? {}
    isLast = last === null
    after = last ?? ''
    for (let start = 0; start < (suspects?.length ?? 0); start += BATCH_ROWS)
      changed += await normalizeRows(db, table, key, suspects?.slice(start, start + BATCH_ROWS) ?? [])
  }
  return changed
}

/** Whether a row of the page may have texts to normalize. */
function isSuspect({ columns }: TextTable): RawBuilder<unknown> {
  const texts = Object.entries(columns).map(([column, kind]) =>
    kind === 'tags' ? sql`array_to_string(${sql.id(column)}, E'\\n')` : sql`${sql.id(column)}::text`,
  )
  const all = sql`concat_ws(E'\\n', ${sql.join(texts)}) collate "C"`
  const named = Object.keys(columns).filter((column) => columns[column] === 'name')
  const names = sql`concat_ws(E'\\n', ${sql.join([sql`''`, ...named.map((column) => sql.id(column))])}) collate "C"`
  return sql`octet_length(${all}) <> char_length(${all})
    and (${all} ~ ${SUSPECT} or ${all} is not nfc normalized or ${names} ~ ${FULL_WIDTH})`
}

async function normalizeRows(
  db: Kysely<unknown>,
  { name, columns, unique }: TextTable,
  key: RawBuilder<unknown>,
  keys: string[],
): Promise<number> {
  const cells = Object.entries(columns).map(([column, kind]) =>
    kind === 'tags' ? sql.id(column) : sql`${sql.id(column)}::text as ${sql.id(column)}`,
  )
  const { rows } = await sql<Row>`
    select ${key} as key, ${sql.join(cells)} from ${sql.table(name)} where ${key} = any(${keys})`.execute(db)
  const taken = unique ? await readIdentities(db, name, unique) : new Set()
  const changed = rows.flatMap((row) => {
    const normalized = normalizeRow(row, columns)
    if (isDeepStrictEqual(normalized, row)) return []
    const [before, after] = [identityOf(row, unique), identityOf(normalized, unique)]
    if (unique && before !== after && taken.has(after)) return []
    taken.add(after)
    return [normalized]
  })
  if (changed.length === 0) return 0
  const set = Object.entries(columns).map(
    ([column, kind]) => sql`${sql.id(column)} = changed.${sql.id(column)}::${sql.raw(KINDS[kind].type)}`,
  )
  const types = Object.entries(columns).map(
    ([column, kind]) => sql`${sql.id(column)} ${sql.raw(kind === 'tags' ? 'text[]' : 'text')}`,
  )
  await sql`
    update ${sql.table(name)} stored set ${sql.join(set)}
    from json_to_recordset(${JSON.stringify(changed)}::json) as changed(key text, ${sql.join(types)})
    where (stored.${key}) = changed.key`.execute(db)
  return changed.length
}

const foldLabel = (text: Cell | undefined): string => String(text).trim().toLowerCase()

const identityOf = (row: Row, unique: readonly string[] = []): string =>
  JSON.stringify(unique.map((column) => foldLabel(row[column])))

async function readIdentities(
  db: Kysely<unknown>,
  name: string,
  unique: readonly string[],
): Promise<Set<unknown>> {
  const columns = sql.join(unique.map((column) => sql.id(column)))
  const { rows } = await sql<Row>`select ${columns} from ${sql.table(name)}`.execute(db)
  return new Set(rows.map((row) => identityOf(row, unique)))
}

function normalizeRow(row: Row, columns: Record<string, Kind>): Row {
  const cells = Object.entries(columns).map(([column, kind]): [string, Cell] => {
    const cell = row[column] ?? null
    return [column, cell === null ? null : KINDS[kind].normalize(cell as string & string[])]
  })
  return { key: row.key ?? null, ...Object.fromEntries(cells) }
}

/** JSON with normalized texts, and the same text if that changes nothing. */
function normalizeJson(text: string, normalize: (value: unknown) => unknown = normalizeTexts): string {
  const before = JSON.stringify(parseExactJson(text))
  const after = JSON.stringify(normalize(parseExactJson(text)))
  return after === before ? text : after
}

/** Values of custom fields. A blank one is absent. */
function withoutBlanks(values: unknown): unknown {
  const entries = Object.entries((values ?? {}) as object).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? trimmed(value) : normalizeTexts(value),
  ])
  return Object.fromEntries(entries.filter(([_name, value]) => value !== ''))
}

/** A record in the trash has the columns of its table. */
function normalizeTrashed(content: unknown): unknown {
  const { record } = content as { record?: Record<string, unknown> }
  const columns = record && ('code' in record ? THESIS : 'stage' in record ? DEAL : COMPANY)
  for (const [column, kind] of Object.entries(columns ?? {})) {
    const value = record?.[column]
    if (!record || value === null || value === undefined) continue
    if (kind === 'custom') record[column] = withoutBlanks(value)
    else if (kind === 'tags') record[column] = normalizeTags(value as string[])
    else if (kind === 'json') record[column] = normalizeTexts(value)
    else record[column] = KINDS[kind].normalize(value as string)
  }
  return content
}

/** Without extra spaces, each once in whatever case, sorted. */
function normalizeTags(tags: string[]): string[] {
  const unique = new Map<string, string>()
  for (const text of tags) {
    const tag = trimmed(text).replace(/\s+/g, ' ')
    if (tag && !unique.has(tag.toLowerCase())) unique.set(tag.toLowerCase(), tag)
  }
  return [...unique.values()].sort()
}

/** Options whose labels would no longer differ stay as they are. */
function normalizeOptions(text: string): string {
  const normalized = normalizeJson(text)
  const labels = (JSON.parse(normalized) as { label: string }[]).map(({ label }) => foldLabel(label))
  return new Set(labels).size < labels.length ? text : normalized
}
