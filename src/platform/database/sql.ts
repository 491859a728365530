import {
  type CompiledQuery,
  createQueryId,
  PostgresQueryCompiler,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely'
import { type PageRequest, pagination } from '#src/platform/schema/shapes.ts'
import type { Db } from './database.ts'

/**
 * JSON text from PostgreSQL that is sent without parsing. At 50 rows per page, parsing and serializing rows costs
 * more than the query.
 */
export type Json = string & { readonly json?: never }

const compile = (fragment: RawBuilder<unknown>) =>
  new PostgresQueryCompiler().compileQuery(fragment.toOperationNode() as RootOperationNode, createQueryId())

/** A fragment without parameters as text, so that statements made of it are built faster. */
export function precompile(fragment: RawBuilder<unknown>): RawBuilder<unknown> {
  const { sql: text, parameters } = compile(fragment)
  if (parameters.length > 0) throw new Error(`A constant fragment has no parameters: ${text}`)
  return sql.raw(text)
}

/**
 * A frequent statement, which is built once.
 * @param build makes the statement from the values that differ; it gets placeholders, not the values
 */
export function preparedQuery<Values extends object, Row>(
  build: (values: { readonly [Name in keyof Values]: unknown }) => RawBuilder<unknown>,
) {
  const names = new Map<unknown, keyof Values>()
  const placeholders = new Proxy({} as Record<keyof Values, unknown>, {
    get: (_target, name) => {
      const placeholder = Symbol(String(name))
      names.set(placeholder, name as keyof Values)
      return placeholder
    },
  })
  let compiled: CompiledQuery | undefined
  return async (db: Db, values: Values): Promise<Row[]> => {
    compiled ??= compile(build(placeholders))
    const parameters = compiled.parameters.map((input) => {
      const name = names.get(input)
      return name === undefined ? input : values[name]
    })
    const { rows } = await db.executeQuery({ ...compiled, parameters, queryId: createQueryId() })
    return rows as Row[]
  }
}

/** A time as ISO 8601 in UTC, with milliseconds. */
export const utcText = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Selects a timestamp column as such a text. */
export const utc = (column: string): RawBuilder<unknown> =>
  sql`${utcText(sql.ref(column))} as ${sql.ref(column)}`

/** The time of a change, always at least one millisecond after the previous one. */
export const laterTime = (time: Date | RawBuilder<unknown>, previous: string): RawBuilder<Date> =>
  sql<Date>`greatest(${time}::timestamptz, ${sql.ref(previous)} + interval '1 millisecond')`

/** The present time for a record with this previous one, in milliseconds as everywhere. */
export const laterThan = (previous: string): RawBuilder<Date> =>
  laterTime(sql`date_trunc('milliseconds', clock_timestamp())`, previous)

/** The same for a record that the caller has locked. */
export const timeAfter = (previous: string | Date): string =>
  new Date(Math.max(Date.now(), new Date(previous).getTime() + 1)).toISOString()

/** The single row of a query as a JSON object. */
export const jsonObject = (query: RawBuilder<unknown>): RawBuilder<Json> =>
  sql<Json>`select row_to_json(record)::text from (${query}) record`

/** A page of any list is at most this large. V8 cannot make a string of more than 512 MB. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024

/** The error code of `raise_page_too_large()`. */
export const PAGE_TOO_LARGE = 'DP001'

/**
 * The rows of a query as a JSON array, in the query's order. The statement fails with `PAGE_TOO_LARGE` if it is larger
 * than MAX_PAGE_BYTES, before it is built.
 */
export const jsonArray = (query: RawBuilder<unknown>): RawBuilder<Json> =>
  sql<Json>`select coalesce((
    with records as materialized (select row_to_json(record)::text as record from (${query}) record)
    select case when (select sum(octet_length(record)) from records) <= ${sql.lit(MAX_PAGE_BYTES)}
      then (select '[' || string_agg(record, ',') || ']' from records)
      else case when exists (select from records) then raise_page_too_large() end end), '[]')`

/** The rows of a query, in its order. The statement fails with `PAGE_TOO_LARGE` if their sizes add up to too many bytes. */
export const withinPage = (query: RawBuilder<unknown>, size: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with page as materialized (${query})
  select * from page where case when (select sum(${size}) from page) <= ${sql.lit(MAX_PAGE_BYTES)}
    then true else raise_page_too_large() is null end`

/** The records as a JSON array, for lists that are not made by `jsonArray`. */
export function listJson(records: Iterable<object | Json>): Json {
  const parts: string[] = []
  let bytes = 0
  for (const record of records) {
    const part = typeof record === 'string' ? record : JSON.stringify(record)
    bytes += Buffer.byteLength(part)
    if (bytes > MAX_PAGE_BYTES)
      throw Object.assign(new Error('the page is too large'), { code: PAGE_TOO_LARGE })
    parts.push(part)
  }
  return `[${parts.join(',')}]`
}

/** Joins conditions with `and`; no conditions means true. */
export const all = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

/** Whether a column has one of the values. A single one lets PostgreSQL read an index on it in order. */
export function isOneOf(column: string, input: string | readonly string[]): RawBuilder<unknown> {
  const values = [input].flat()
  return values.length === 1
    ? sql`${sql.ref(column)} = ${values[0]}`
    : sql`${sql.ref(column)} = any(${values}::text[])`
}

export interface JsonPage {
  records: Json
  total: number
}

/**
 * A page in the envelope of all lists.
 * @param more what the list has besides its records
 */
export const pageJson = (page: PageRequest, { records, total }: JsonPage, more: object = {}): Json =>
  `{"data":${records},${JSON.stringify({ pagination: pagination(page, total), ...more }).slice(1)}`

/**
 * A page and its total, from one snapshot of the database.
 * @param page selects the records of the page
 * @param total selects how many there are
 */
export async function readPageAndTotal(
  db: Db,
  page: RawBuilder<unknown>,
  total: RawBuilder<unknown>,
): Promise<JsonPage> {
  const { rows } = await sql<JsonPage>`
    select (${jsonArray(page)}) as records, (${total})::float8 as total`.execute(db)
  return rows[0] as JsonPage
}

/** A page of a table or a join that is small enough to count, newest first by default. */
export function readPage(
  db: Db,
  {
    table,
    fields,
    where,
    order = sql`order by id desc`,
  }: {
    table: string | RawBuilder<unknown>
    fields: RawBuilder<unknown>
    where: RawBuilder<unknown>[]
    order?: RawBuilder<unknown> | undefined
  },
  { limit, offset }: PageRequest,
): Promise<JsonPage> {
  const from = sql`from ${typeof table === 'string' ? sql.table(table) : table} where ${all(where)}`
  const page = sql`select ${fields} ${from} ${order} limit ${limit} offset ${offset}`
  return readPageAndTotal(db, page, sql`select count(*) ${from}`)
}

/** The record with this id, if it meets the condition, or `undefined`. */
export async function readRecord(
  db: Db,
  {
    table,
    fields,
    id,
    where = sql`true`,
  }: { table: string; fields: RawBuilder<unknown>; id: string; where?: RawBuilder<unknown> },
): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select row_to_json(record)::text as record
    from (select ${fields} from ${sql.table(table)} where id = ${id} and ${where}) record`.execute(db)
  return rows[0]?.record
}
