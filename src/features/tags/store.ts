import { sql } from 'kysely'
import { tagCounts } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { TagQuery } from './schema.ts'

/** A page of tags, those of the most companies first. */
export function listTags(db: Db, { search, ...page }: TagQuery): Promise<JsonPage> {
  const matching = search ? sql`fold_text(tag) like contains_pattern(${search})` : sql`tag is not null`
  const tags = sql`select tag as name, sum(n)::float8 as companies from ${tagCounts} where ${matching}
    group by tag having sum(n) > 0`
  const order = sql`order by companies desc, name`
  return readPage(db, { table: sql`(${tags}) tags`, fields: sql`*`, where: [], order }, pageOf(page))
}

/** The number of companies that have a tag. */
export async function countTagged(db: Db, tag: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::float8 as n from ${tagCounts} where tag = ${tag}`.execute(db)
  return rows[0]?.n ?? 0
}
