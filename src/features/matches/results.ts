import { sql } from 'kysely'
import { companyFields } from '#src/features/companies/index.ts'
import { type EmbeddedFields, type RankedCompany, readSupport } from '#src/features/search/index.ts'
import type { Criterion } from '#src/features/theses/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { type Json, jsonArray } from '#src/platform/database/sql.ts'
import { bestQuote, quotableSentences } from './quotes.ts'
import { isMet, type Ranking } from './rank.ts'
import type { MatchReason, MatchScore } from './schema.ts'
import { readScores } from './scores.ts'

const RANKED_COLUMNS = {
  match_id: 'text',
  fit: 'float8',
  reasons: 'text',
  score: 'text',
  place: 'int',
} as const

/** Changes to these fields make a match new. */
const TEXT_FIELDS = ['name', 'industry_category', 'activity_description', 'hq_city', 'country']

interface Viewed {
  thesis_id: string
  /** When the caller last looked; null: never, and nothing is new. */
  seenAt: string | null
  /** The scores of all matches, if they have been read. */
  scores?: Map<string, MatchScore> | undefined
}

/** Matches as the API shows them, in this order. */
export async function readMatches(
  db: Db,
  { criteria, query }: Ranking,
  page: RankedCompany[],
  { thesis_id, seenAt, scores: known }: Viewed,
): Promise<Json> {
  if (page.length === 0) return '[]'
  const ids = page.map(({ id }) => id)
  const [reasons, scores] = await Promise.all([
    readReasons(db, criteria, query, ids),
    known ?? readScores(db, thesis_id, ids),
  ])
  const rows = page.map(({ id, similarity }, position) => ({
    match_id: id,
    fit: Number(Math.max(0, similarity).toFixed(6)),
    reasons: JSON.stringify(reasons.get(id) ?? []),
    score: JSON.stringify(scores.get(id) ?? null),
    place: position,
  }))
  const hasNewText = sql.join(
    TEXT_FIELDS.map((field) => sql`changes -> ${sql.lit(field)} is not null`),
    sql` or `,
  )
  const isNew = sql`(companies.created_at > ${seenAt}::timestamptz or exists (
    select from activity where entity_id = companies.id and "timestamp" > ${seenAt}::timestamptz and (${hasNewText})))`
  const { rows: found } = await sql<{ records: Json }>`
    select (${jsonArray(sql`
      select ${companyFields}, fit, reasons::json as reasons, score::json as thesis_score,
        (select verdict from thesis_verdicts where thesis_id = ${thesis_id} and company_id = companies.id) as verdict,
        ${seenAt === null ? sql`false` : isNew} as is_new
      from ${rowsFrom('ranked', RANKED_COLUMNS, rows)} join companies on companies.id = match_id
      order by place`)}) as records`.execute(db)
  return found[0]?.records ?? '[]'
}

/** For each company, whether it meets each criterion, and the sentence that supports it. */
async function readReasons(
  db: Db,
  criteria: Criterion[],
  query: Ranking['query'],
  ids: string[],
): Promise<Map<string, MatchReason[]>> {
  const texts = query.texts.slice(0, criteria.length)
  const [supports, companies] = await Promise.all([
    readSupport(db, query, texts, ids),
    sql<EmbeddedFields & { id: string }>`
      select id, name, industry_category, activity_description, hq_city, country from companies
      where id = any(${ids})`.execute(db),
  ])
  return new Map(
    companies.rows.map((company) => {
      const support = supports.get(company.id) ?? []
      const sentences = support.some(isMet) ? quotableSentences(company) : []
      const reasons = criteria.map(({ text, ...criterion }, n) => {
        const found = support[n]
        const met = found !== undefined && isMet(found)
        const quote = met ? bestQuote(sentences, texts[n]?.rarity ?? new Map()) : null
        return { criterion: text, ...criterion, met, quote }
      })
      return [company.id, reasons]
    }),
  )
}
