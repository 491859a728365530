import { type RawBuilder, sql } from 'kysely'
import { companyFields } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { jsonArray } from '#src/platform/database/sql.ts'
import type { Word } from '#src/platform/lexical.ts'
import type { RankedCompany } from './words/rank.ts'

const RANKED_COLUMNS = {
  match_id: 'text',
  similarity: 'float8',
  words: 'float8',
  meaning: 'float8',
  place: 'int',
} as const
const WORD_COLUMNS = { word: 'text', dimension: 'int', place: 'int' } as const

/**
 * The companies of a ranking as the API shows them, in the same order.
 * @param model the model whose vectors were compared; undefined for a search by words
 * @param words each result lists those that it contains
 */
export async function readResults(
  db: Db,
  ranked: RankedCompany[],
  { model, words }: { model?: string | undefined; words?: Word[] | undefined },
): Promise<Json> {
  if (ranked.length === 0) return '[]'
  const isPending = model
    ? sql`or exists (select from embeddings_due where model = ${model} and embeddings_due.id = companies.id)`
    : sql``
  const matches = ranked.map(({ id, similarity, shares }, position) => ({
    match_id: id,
    similarity: Number(similarity.toFixed(6)),
    words: Number(shares.words.toFixed(3)),
    meaning: Number(shares.meaning.toFixed(3)),
    place: position,
  }))
  const { rows } = await sql<{ records: Json }>`
    select (${jsonArray(sql`
      select ${companyFields}, similarity, json_build_object('words', words, 'meaning', meaning) as shares,
        (exists (select from companies_to_embed where company_id = companies.id) ${isPending}) as embedding_stale
        ${words ? sql`, ${matchedWords(words)} as matched_words` : sql``}
      from ${rowsFrom('ranked', RANKED_COLUMNS, matches)} join companies on companies.id = match_id
      order by place`)}) as records`.execute(db)
  return rows[0]?.records ?? '[]'
}

/** The distinct words of the question that a company contains. */
function matchedWords(words: Word[]): RawBuilder<unknown> {
  const isFirst = ({ dimension }: Word, index: number) =>
    words.findIndex((word) => word.dimension === dimension) === index
  const distinct = words
    .filter(isFirst)
    .map(({ text, dimension }, position) => ({ word: text, dimension, place: position }))
  return sql`(select coalesce(json_agg(word order by place), '[]')
    from lexical_vectors, ${rowsFrom('question', WORD_COLUMNS, distinct)}
    where lexical_vectors.id = companies.id and dimension = any(lexical_vectors.words))`
}
