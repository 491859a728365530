import { type RawBuilder, sql } from 'kysely'
import { tagCounts } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { TagQuery } from './schema.ts'

/** A page of tags, those of the most companies and people first. */
export function listTags(db: Db, { search, ...page }: TagQuery): Promise<JsonPage> {
  const matching = search ? sql`fold_text(tag) like contains_pattern(${search})` : sql`tag is not null`
  const tags = sql`select tag as name, sum(companies)::float8 as companies, sum(people)::float8 as people from (
      select tag, n as companies, 0 as people from ${tagCounts}
      union all select tag, 0, 1 from people, unnest(tags) tag where tags <> '{}') counts
    where ${matching} group by tag having sum(companies) > 0 or sum(people) > 0`
  const order = sql`order by companies + people desc, name`
  return readPage(db, { table: sql`(${tags}) tags`, fields: sql`*`, where: [], order }, pageOf(page))
}

/** The number of companies and people that have a tag. */
export async function countTagged(db: Db, tag: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::float8 + (select count(*) from people where ${isTagged(tag)}) as n
    from ${tagCounts} where tag = ${tag}`.execute(db)
  return rows[0]?.n ?? 0
}

/** The condition that a company or person has a tag, for the index. */
export const isTagged = (tag: string): RawBuilder<unknown> =>
  sql`tags <> '{}' and tags @> array[${tag}]::text[]`
