import { type RawBuilder, sql } from 'kysely'
import { companyFields } from '#src/features/companies/store.ts'
import type { Json } from '#src/platform/answers.ts'
import type { Db } from '#src/platform/database.ts'
import { documentWeights, type SparseVector, type Word } from '#src/platform/lexical.ts'
import { type LexicalIndex, type RareWords, scoreOf } from '#src/platform/lexical-index.ts'
import { all, asList, type JsonPage } from '#src/platform/sql.ts'
import { type EmbeddedFields, embeddingText } from './embedding-text.ts'
import type { SemanticQuery, SimilarQuery } from './schema.ts'

/** The ranking ends here: nobody reads further, and every page costs the more the deeper it is. */
const DEEPEST = 1000

/** Companies by how well they answer a question in words. */
export async function searchCompanies(db: Db, index: LexicalIndex, query: SemanticQuery): Promise<JsonPage> {
  const question = await index.queryOf(query.q)
  const words = query.mode === 'hybrid' ? question.words : undefined
  return readRanking(db, query, { ...question, rare: index.rareWords(question), words })
}

/** Companies like this one, by its words; undefined when there is no such company. */
export async function findSimilar(
  db: Db,
  index: LexicalIndex,
  id: string,
  query: SimilarQuery,
): Promise<JsonPage | undefined> {
  const { rows } = await sql<EmbeddedFields>`
    select name, industry_category, activity_description, hq_city, country from companies where id = ${id}`.execute(
    db,
  )
  const [company] = rows
  if (!company) return undefined
  const text = embeddingText(company)
  const { weights: rarity, ...counts } = await index.queryOf(text)
  const own = documentWeights(text)
  const weights = new Map(Array.from(rarity, ([word, weight]) => [word, weight * (own.get(word) ?? 0)]))
  // As much as the company itself would score.
  const highest = [...weights].reduce((sum, [word, weight]) => sum + weight * (own.get(word) ?? 0), 0)
  return readRanking(db, query, {
    weights,
    highest,
    rare: index.rareWords({ ...counts, weights }),
    except: id,
  })
}

interface Question {
  weights: SparseVector
  highest: number
  rare: RareWords
  /** Named in each result that has them. */
  words?: Word[] | undefined
  /** The id of a company that is left out. */
  except?: string
}

interface Ranking {
  records: Json
  /** The score of the last one on the page or before it; null when there are fewer. */
  last: number | null
}

async function readRanking(db: Db, query: SimilarQuery, question: Question): Promise<JsonPage> {
  if (question.weights.size === 0) return { records: '[]', total: 0 }
  const [records, total] = await Promise.all([
    readPage(db, query, question),
    countMatches(db, query, question),
  ])
  return { records, total }
}

/** By the rare words alone, where those who have none of them cannot be on the page; else by all. */
async function readPage(db: Db, query: SimilarQuery, question: Question): Promise<Json> {
  const { dimensions, bound } = question.rare
  if (dimensions.length > 0) {
    const { records, last } = await rank(db, query, question, sql`words && ${dimensions}::int[]`)
    if (bound === 0 || (last !== null && last > bound)) return records
  }
  return (await rank(db, query, question, sql`true`)).records
}

async function rank(
  db: Db,
  query: SimilarQuery,
  { weights, highest, words, except }: Question,
  candidates: RawBuilder<unknown>,
): Promise<Ranking> {
  const { limit = 20, offset = 0 } = query
  const depth = Math.min(DEEPEST, offset + limit)
  const best = sql`order by score desc, match_id desc`
  const page = sql`
    select ${companyFields}, least(1, round((score / ${highest})::numeric, 6))::float8 as similarity,
      exists (select from companies_to_embed where company_id = companies.id) as embedding_stale
      ${words ? sql`, ${matchedWords(words)} as matched_words` : sql``}
    from (select * from ranking ${best} offset ${offset}) page
    join companies on companies.id = match_id
    join lexical_vectors on lexical_vectors.id = match_id ${best}`
  const { rows } = await sql<Ranking>`
    with scored as (
      select lexical_vectors.id as match_id, ${scoreOf(weights)} as score
      from lexical_vectors ${filtering(query)} where ${all([candidates, ...conditions(query, except)])} offset 0),
    ranking as materialized (select * from scored where score > 0 ${best} limit ${depth})
    select (${asList(page)}) as records, (select min(score) from ranking having count(*) = ${depth}) as last`.execute(
    db,
  )
  return rows[0] as Ranking
}

/** How many have a word of the question, up to where the ranking ends. */
async function countMatches(db: Db, query: SimilarQuery, { weights, except }: Question): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::float8 as total from (
      select 1 from lexical_vectors ${filtering(query)}
      where ${all([sql`words && ${[...weights.keys()]}::int[]`, ...conditions(query, except)])}
      limit ${DEEPEST}) matching`.execute(db)
  return rows[0]?.total ?? 0
}

const filtering = ({ status, country_code }: SimilarQuery) =>
  status || country_code ? sql`join companies on companies.id = lexical_vectors.id` : sql``

function conditions(
  { status, country_code }: SimilarQuery,
  except: string | undefined,
): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = []
  if (status) found.push(sql`status = ${status}`)
  if (country_code) found.push(sql`country_code = ${country_code.toUpperCase()}`)
  if (except) found.push(sql`lexical_vectors.id <> ${except}`)
  return found
}

/** The words of the question that a row of `lexical_vectors` has, each once. */
function matchedWords(words: Word[]): RawBuilder<unknown> {
  const distinct = words.filter(
    ({ dimension }, index) => words.findIndex((word) => word.dimension === dimension) === index,
  )
  return sql`(select coalesce(json_agg(word), '[]')
    from unnest(${distinct.map(({ text }) => text)}::text[], ${distinct.map(({ dimension }) => dimension)}::int[])
      as asked(word, dimension)
    where dimension = any(lexical_vectors.words))`
}
