import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { QUEUE_SCHEMA } from '#src/platform/queue.ts'
import { keyWord } from '#src/platform/schema/label-key.ts'

export interface Column {
  name: string
  type: string
  /** Whether its values are text or JSON, and may therefore contain an email address. */
  isText: boolean
}

/** A table with text in it. */
export interface TextTable {
  schema: string
  name: string
  /** Without generated columns. */
  columns: Column[]
  /** Its size in database blocks. */
  blocks: number
}

const TEXT_TYPES = [
  'text',
  'character varying',
  'character',
  'json',
  'jsonb',
  'text[]',
  'character varying[]',
]

/** All tables of the service and of its queues that have text columns, whichever features they belong to. */
export async function textTables(db: Db): Promise<TextTable[]> {
  const isText = sql`format_type(a.atttypid, null) = any(${TEXT_TYPES})`
  const { rows } = await sql<TextTable>`
    select n.nspname as schema, c.relname as name,
      (pg_relation_size(c.oid) / current_setting('block_size')::int)::float8 as blocks,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isText', ${isText})
        order by a.attnum) as columns
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname in (current_schema(), ${QUEUE_SCHEMA})
    group by n.nspname, c.relname, c.oid having bool_or(${isText})
    order by n.nspname, c.relname`.execute(db)
  return rows
}

export const tableOf = ({ schema, name }: TextTable): RawBuilder<unknown> => sql.id(schema, name)

/** The blocks from `first` up to `end`. */
export const inBlocks = (first: number, end: number): RawBuilder<unknown> =>
  sql`ctid >= ${`(${first},0)`}::tid and ctid < ${`(${end},0)`}::tid`

/**
 * Finds an email address in text, ignoring case, but not as part of a longer address. Finds it in JSON, in URLs with
 * percent-encoded characters, and in keys of custom fields whose labels contain it.
 */
export class AddressPattern {
  readonly #text: string
  readonly #json: string
  /** Undefined for addresses of which a key has only a part. */
  readonly #key: string | undefined

  constructor(email: string) {
    this.#key = /^\p{ASCII}*$/u.test(email) ? `(?<![a-z0-9])${keyWord(email)}(?![a-z0-9])` : undefined
    const address = Array.from(email, encodings).join('')
    const end = '(?![\\w-]|\\.\\w)'
    this.#text = `(^|[^\\w.+-]|%[0-9a-f]{2})${address}${end}`
    this.#json = `(^|[^\\w.+-]|%[0-9a-f]{2}|\\\\[bfnrt]|\\\\u[0-9a-f]{4})${address}${end}`
  }

  /** The condition that a column contains the address. */
  isIn({ name, type }: Pick<Column, 'name' | 'type'>): RawBuilder<boolean> {
    const text = sql`${sql.ref(name)}::text`
    const isKey = this.#key ? sql`${text} ~* ${this.#key}` : sql`false`
    return sql`coalesce(${text} ~* ${this.#of(type)} or ${isKey}, false)`
  }

  /** The value of a column with another text instead of the address. */
  replacedIn({ name, type }: Pick<Column, 'name' | 'type'>, replacement: string): RawBuilder<unknown> {
    const text = sql`${sql.ref(name)}::text`
    const written = this.#key
      ? sql`regexp_replace(${text}, ${this.#key}, ${keyWord(replacement)}, 'gi')`
      : text
    return sql`regexp_replace(${written}, ${this.#of(type)}, ${`\\1${replacement}`}, 'gi')::${sql.raw(type)}`
  }

  /** The condition that a text column of the table contains the address. */
  isInRow({ columns }: TextTable): RawBuilder<boolean> {
    const conditions = columns.filter(({ isText }) => isText).map((column) => this.isIn(column))
    return sql`(${sql.join(conditions, sql` or `)})`
  }

  #of(type: string): string {
    return type.startsWith('json') ? this.#json : this.#text
  }
}

/** A character of an address as a regular expression. */
function encodings(character: string): string {
  if (/[\p{L}\p{N}]/u.test(character)) return character
  const bytes = Buffer.from(character)
  const encoded = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return `(?:\\${character}|${encoded})`
}
