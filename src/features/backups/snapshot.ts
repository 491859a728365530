import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { QUEUE_SCHEMA } from '#src/platform/queue.ts'
import type { Schema, TableDescription } from './manifest.ts'

/** Rows of about this many bytes are one part. */
const PART_BYTES = 4_000_000
const MAX_PAGES = 4096
const PAGE_BYTES = 8192

/**
 * Not in backups: what Kysely knows about migrations, and logs and positions that follow the transaction ids of one server.
 */
const LEFT_OUT = [
  ...['kysely_migration', 'kysely_migration_lock', 'events', 'event_consumers'],
  // Logs of earlier versions.
  ...['change_events', 'company_change_log'],
]
/** Of the queues' tables, what has not been done yet. pg-boss makes the others. */
const QUEUE_TABLES: Record<string, string> = {
  [`${QUEUE_SCHEMA}.queue`]: 'true',
  [`${QUEUE_SCHEMA}.job`]: "state in ('created', 'retry', 'active')",
}

const columns = sql`(
  select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod) ||
      case when collname = 'C' then ' collate "C"' else '' end, 'required', attnotnull) order by attnum)
  from pg_attribute left join pg_collation on pg_collation.oid = attcollation
  where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '')`

/** What the database contains, besides the rows. */
export async function readSchema(db: Db): Promise<Schema> {
  const { rows: tables } = await sql<TableDescription>`
    select case nspname when ${QUEUE_SCHEMA} then nspname || '.' else '' end || relname as name, ${columns} as columns,
      (select pg_get_constraintdef(oid) from pg_constraint where conrelid = pg_class.oid and contype = 'p') as primary_key
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind = 'r' and relname <> all(${LEFT_OUT})
      or nspname || '.' || relname = any(${Object.keys(QUEUE_TABLES)})
    order by 1`.execute(db)
  const { rows: indexes } = await sql<Schema['indexes'][number]>`
    select tablename as table, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename <> all(${LEFT_OUT})
      and not exists (select from pg_constraint where conindid = format('%I.%I', schemaname, indexname)::regclass)
    order by indexname`.execute(db)
  const { rows: names } = await sql<{ name: string }>`
    select sequencename as name from pg_sequences where schemaname = current_schema() order by 1`.execute(db)
  const sequences: Schema['sequences'] = []
  for (const { name } of names) {
    const { rows } = await sql<Schema['sequences'][number]>`
      select ${name} as name, last_value::text as value, is_called from ${sql.table(name)}`.execute(db)
    sequences.push(...rows)
  }
  return { tables, indexes, sequences }
}

interface Part {
  json: string
  rows: number
}

/**
 * The rows of a table as JSON arrays, in the order in which they are stored. PostgreSQL writes and reads the JSON, so no value
 * is changed on the way.
 * @param db a transaction that sees one snapshot
 */
export async function* readRows(db: Db, { name, columns }: TableDescription): AsyncGenerator<Part> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  const condition = QUEUE_TABLES[name]
  if (condition) {
    yield* nonEmpty(
      await readPart(db, sql`select ${names} from ${sql.table(name)} where ${sql.raw(condition)}`),
    )
    return
  }
  const { rows: sizes } = await sql<{ pages: number }>`
    select (pg_relation_size(${name}::regclass) / ${PAGE_BYTES})::int as pages`.execute(db)
  const end = sizes[0]?.pages ?? 0
  let pages = Math.floor(PART_BYTES / PAGE_BYTES / 4)
  for (let first = 0; first < end; ) {
    const count = Math.min(pages, end - first)
    const range = [`(${first},0)`, `(${first + count},0)`].map((tid) => sql`${sql.lit(tid)}::tid`)
    const part = await readPart(
      db,
      sql`select ${names} from ${sql.table(name)} where ctid >= ${range[0]} and ctid < ${range[1]}`,
    )
    yield* nonEmpty(part)
    first += count
    const ratio = PART_BYTES / Math.max(1, part.json.length)
    pages = Math.max(1, Math.min(MAX_PAGES, Math.floor(count * Math.min(4, ratio))))
  }
}

function* nonEmpty(part: Part): Generator<Part> {
  if (part.rows > 0) yield part
}

async function readPart(db: Db, rows: ReturnType<typeof sql>): Promise<Part> {
  const { rows: parts } = await sql<Part>`
    select coalesce(json_agg(part), '[]')::text as json, count(*)::int as rows from (${rows}) part`.execute(
    db,
  )
  return parts[0] as Part
}
