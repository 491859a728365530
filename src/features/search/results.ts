import { type RawBuilder, sql } from 'kysely'
import { companyFields } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { asList } from '#src/platform/database/sql.ts'
import type { Word } from '#src/platform/models/lexical.ts'
import type { Ranked } from './words/rank.ts'

/**
 * The companies of a ranking as the API shows them, in its order.
 * @param model whose vectors they were found by; undefined: by their words
 * @param words named in each result that has them
 */
export async function readResults(
  db: Db,
  ranked: Ranked[],
  { model, words }: { model: string | undefined; words: Word[] | undefined },
): Promise<Json> {
  if (ranked.length === 0) return '[]'
  const isPending = model
    ? sql`or exists (select from embeddings_due where model = ${model} and embeddings_due.id = companies.id)`
    : sql``
  const { rows } = await sql<{ records: Json }>`
    select (${asList(sql`
      select ${companyFields}, similarity,
        (exists (select from companies_to_embed where company_id = companies.id) ${isPending}) as embedding_stale
        ${words ? sql`, ${matchedWords(words)} as matched_words` : sql``}
      from unnest(${ranked.map(({ id }) => id)}::text[],
        ${ranked.map(({ similarity }) => Number(similarity.toFixed(6)))}::float8[])
        with ordinality as ranked(match_id, similarity, place)
      join companies on companies.id = match_id
      order by place`)}) as records`.execute(db)
  return rows[0]?.records ?? '[]'
}

/** The words of the question that a company has, each once. */
function matchedWords(words: Word[]): RawBuilder<unknown> {
  const distinct = words.filter(
    ({ dimension }, index) => words.findIndex((word) => word.dimension === dimension) === index,
  )
  return sql`(select coalesce(json_agg(word order by place), '[]')
    from lexical_vectors, unnest(${distinct.map(({ text }) => text)}::text[],
      ${distinct.map(({ dimension }) => dimension)}::int[]) with ordinality as asked(word, dimension, place)
    where lexical_vectors.id = companies.id and dimension = any(lexical_vectors.words))`
}
