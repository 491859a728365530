import { type RawBuilder, sql } from 'kysely'
import { readScope } from '#src/features/search/pgvector.ts'
import type { ActiveModel } from '#src/features/search/vectors/stored-model.ts'
import { nearestVectors } from '#src/features/search/vectors/vectors.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'

export const VECTOR_LENGTH = 384

/** The ten nearest vectors by a bare statement. `exactly` bypasses the index. */
export async function nearest(
  db: Db,
  { key }: ActiveModel,
  question: string,
  filter: { status?: string; country_code?: string },
  exactly: boolean,
): Promise<string[]> {
  const vector = sql`(vector::vector(${sql.lit(VECTOR_LENGTH)}))`
  const distance = sql`${vector} <=> ${question}::vector(${sql.lit(VECTOR_LENGTH)})`
  const conditions: RawBuilder<unknown>[] = [sql`model = ${sql.lit(key)}`]
  if (filter.status) conditions.push(sql`companies.status = ${filter.status}`)
  if (filter.country_code) conditions.push(sql`companies.country_code = ${filter.country_code}`)
  const from = sql`from embeddings ${conditions.length > 1 ? sql`join companies using (id)` : sql``}
    where ${all(conditions)}`
  const { rows } = await sql<{ id: string }>`${
    exactly
      ? sql`select id from (select id, ${distance} as distance ${from} offset 0) compared order by distance limit 10`
      : sql`select id ${from} order by ${distance} limit 10`
  }`.execute(db)
  return rows.map(({ id }) => id)
}

export async function recallOf(
  db: Db,
  model: ActiveModel,
  questions: string[],
  filter: { status?: string; country_code?: string },
): Promise<number> {
  let found = 0
  for (const question of questions) {
    const exact = new Set(await nearest(db, model, question, filter, true))
    const conditions = [
      ...(filter.status ? [sql`status = ${filter.status}`] : []),
      ...(filter.country_code ? [sql`country_code = ${filter.country_code}`] : []),
    ]
    const allowed = await readScope(
      db,
      conditions.length > 0 ? sql`select id from companies where ${all(conditions)}` : undefined,
    )
    const ranked = await nearestVectors(db, model, question, { limit: 10, ...allowed })
    found += ranked.filter(({ id }) => exact.has(id)).length
  }
  return found / (10 * questions.length)
}
