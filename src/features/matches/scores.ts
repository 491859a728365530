import { sql } from 'kysely'
import type { RankedCompany } from '#src/features/search/index.ts'
import { readThesisTexts } from '#src/features/theses/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isDateTime } from '#src/platform/schema/formats.ts'
import type { MatchScore } from './schema.ts'

interface StoredScore {
  id: string
  overall: number
  model: string | null
  scored_at: string | null
  version: string | null
  text_hash: string | null
}

/**
 * The scores that companies got against a thesis. Scores against another thesis or none are left out, and so are those
 * that a person has changed.
 */
export async function readScores(db: Db, thesis_id: string, ids: string[]): Promise<Map<string, MatchScore>> {
  if (ids.length === 0) return new Map()
  const [thesis] = await readThesisTexts(db, [thesis_id])
  // The details may be anything that a client has written.
  const { rows } = await sql<StoredScore>`
    select id, llm_score_overall as overall, model, scored_at, thesis ->> 'version' as version,
      thesis ->> 'text_hash' as text_hash
    from companies, json_to_record(case json_typeof(llm_score_details) when 'object' then llm_score_details end)
      as details(overall text, model text, scored_at text, thesis json)
    where id = any(${ids}) and llm_score_overall is not null
      and thesis ->> 'id' = ${thesis_id} and details.overall = llm_score_overall::text`.execute(db)
  return new Map(
    rows.flatMap(({ id, overall, model, scored_at, version, text_hash }) => {
      // Scores from before the hash was stored have only the version.
      const is_outdated = text_hash === null ? version !== thesis?.version : text_hash !== thesis?.text_hash
      return model && scored_at && isDateTime(scored_at)
        ? [[id, { overall, model, scored_at, is_outdated }]]
        : []
    }),
  )
}

/** Ranks matches by their scores, the highest first. The best match of equal scores, and of none, comes first. */
export function rankByScore(ranked: RankedCompany[], scores: Map<string, MatchScore>): RankedCompany[] {
  const scoreOf = ({ id }: RankedCompany) => scores.get(id)?.overall ?? -1
  return ranked.toSorted((a, b) => scoreOf(b) - scoreOf(a))
}
