import { type RawBuilder, sql } from 'kysely'
import { companyConditions, type Selection } from '#src/features/companies/index.ts'
import {
  countSupported,
  type Indexes,
  parseWeightedQuery,
  type RankedCompany,
  rankByWeightedQuery,
  readScope,
  readSupport,
  type Support,
  scoreCompanies,
  type WeightedQuery,
} from '#src/features/search/index.ts'
import type { Criterion } from '#src/features/theses/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { deriveCriteria, type ThesisTexts } from './criteria.ts'
import type { MatchQuery, Verdict } from './schema.ts'
import { readJudged } from './store.ts'

export interface MatchedThesis extends ThesisTexts {
  id: string
  criteria: Criterion[] | null
}

export interface Ranking {
  ranked: RankedCompany[]
  criteria: Criterion[]
  query: WeightedQuery
}

/** Beside the criteria, the title and the summary count as one text, and the beginning of the report as another. */
const TOPIC_WEIGHT = 2
const REPORT_WEIGHT = 1
const MAX_REPORT_LENGTH = 2000
/** A company contains a criterion if it has at least this share of its words. */
const MIN_SHARE = 0.6
/** What the fit is multiplied by for each required criterion that is not met. */
const UNMET_FACTOR = 0.6
/** A match that is less similar than this part of the best one is cut. By words alone, most matches share few of them. */
const MIN_SHARE_OF_BEST = { both: 0.3, words: 0.1 }

/** The criteria of a thesis: those that were entered, or else those that it states. */
export const criteriaOf = (thesis: MatchedThesis): Criterion[] => thesis.criteria ?? deriveCriteria(thesis)

/** Whether a company meets a criterion, by its words or its meaning. */
export const isMet = ({ share, isNear }: Support): boolean => share >= MIN_SHARE || isNear

/** A query whose filter has been checked. */
type SelectedMatches = Omit<MatchQuery, 'filter'> & Selection

/** Ranks companies for a thesis, best first. */
export async function rankMatches(
  db: Db,
  indexes: Indexes,
  thesis: MatchedThesis,
  query: SelectedMatches,
): Promise<Ranking> {
  const criteria = criteriaOf(thesis)
  const judged = await readJudged(db, thesis.id)
  const weighted = await parseWeightedQuery(db, indexes, textsOf(thesis, criteria), {
    liked: judged.up,
    disliked: judged.down,
  })
  const filters = companyConditions(query, 'index')
  const inPipeline = query.exclude_in_pipeline
    ? [sql`select company_id from dealflow where status = 'active'`]
    : []
  const judgedIds = query.verdict
    ? await readJudgedIds(db, thesis.id, query.verdict, [
        ...filters,
        ...inPipeline.map((ids) => sql`companies.id not in (${ids})`),
      ])
    : []
  if (query.verdict === 'up' || query.verdict === 'down') {
    const ranked = await scoreCompanies(db, weighted, judgedIds)
    return { ranked: await lowerUnmet(db, weighted, criteria, ranked), criteria, query: weighted }
  }
  const filter = filters.length > 0 ? sql`select id from companies where ${all(filters)}` : undefined
  const leftOut = query.verdict === 'none' ? [...inPipeline, judgedOf(thesis.id)] : inPipeline
  const excluded = leftOut.length > 0 ? { excluded: sql.join(leftOut, sql` union all `) } : {}
  const scope = { ...(await readScope(db, filter)), ...excluded }
  // Those with a verdict decide what is cut even if they are not listed: otherwise each verdict would change the rest.
  const best = await rankByWeightedQuery(db, weighted, scope, judgedIds)
  const supported = best.slice(
    0,
    countSupported(best, weighted.compared ? MIN_SHARE_OF_BEST.both : MIN_SHARE_OF_BEST.words),
  )
  const judgedSet = new Set(judgedIds)
  const listed = supported.filter(({ id }) => !judgedSet.has(id))
  return { ranked: await lowerUnmet(db, weighted, criteria, listed), criteria, query: weighted }
}

/** At most this many companies with a verdict are listed. */
const MAX_JUDGED = 1000

/** The texts of the criteria, and then the others. */
function textsOf({ title, summary, report_markdown }: MatchedThesis, criteria: Criterion[]) {
  const wanted = criteria.map(({ text, weight, negative }) => ({ text, weight: negative ? -weight : weight }))
  const report = (report_markdown ?? '').slice(0, MAX_REPORT_LENGTH).toWellFormed()
  return [
    ...wanted,
    { text: [title, summary].filter(Boolean).join('\n'), weight: TOPIC_WEIGHT },
    ...(/\p{L}/u.test(report) ? [{ text: report, weight: REPORT_WEIGHT }] : []),
  ]
}

/** The companies with this verdict on them; `none`: those with any. */
async function readJudgedIds(
  db: Db,
  thesis_id: string,
  verdict: Verdict | 'none',
  conditions: RawBuilder<unknown>[],
): Promise<string[]> {
  const isJudged = sql`companies.id in (${judgedOf(thesis_id)} and ${verdict === 'none' ? sql`true` : sql`verdict = ${verdict}`})`
  const { rows } = await sql<{ id: string }>`
    select companies.id from companies where ${all([...conditions, isJudged])} limit ${MAX_JUDGED}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** A query for the ids of companies with a verdict. */
const judgedOf = (thesis_id: string): RawBuilder<unknown> =>
  sql`select company_id from thesis_verdicts where thesis_id = ${thesis_id}`

/** Lowers the fit of companies that do not meet a required criterion, and ranks them again. */
async function lowerUnmet(
  db: Db,
  query: WeightedQuery,
  criteria: Criterion[],
  ranked: RankedCompany[],
): Promise<RankedCompany[]> {
  const required = query.texts.filter((_text, n) => criteria[n]?.kind === 'must')
  const mustMeet = criteria.filter(({ kind }) => kind === 'must').map(({ negative }) => !negative)
  const ids = ranked.map(({ id }) => id)
  const supports = await readSupport(db, query, required, ids)
  return ranked
    .map((company) => {
      const failed = (supports.get(company.id) ?? []).filter((support, n) => isMet(support) !== mustMeet[n])
      return { ...company, similarity: company.similarity * UNMET_FACTOR ** failed.length }
    })
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1))
}
