import { isRecord, numberOf, textOf, textsOf, timeOf } from './shapes.ts'

export interface CriterionShown {
  name: string
  weight: number | null
  score: number | null
  reason: string | null
  evidence: string[]
}

export interface ScoreShown {
  overall: number | null
  model: string | null
  scoredAt: string | null
  bulkAction: string | null
  thesis: { id: string | null; code: string } | null
  criteria: CriterionShown[]
  warnings: string[]
}

/** What `llm_score_details` says, as far as it has the shape that a bulk action gives it; null: nothing of it has. */
export function readScore(details: unknown): ScoreShown | null {
  if (!isRecord(details)) return null
  const score: ScoreShown = {
    overall: numberOf(details.overall),
    model: textOf(details.model),
    scoredAt: timeOf(details.scored_at),
    bulkAction: textOf(details.bulk_action_id),
    thesis: readThesis(details.thesis),
    criteria: Array.isArray(details.criteria) ? details.criteria.flatMap(readCriterion) : [],
    warnings: textsOf(details.warnings),
  }
  return score.model || score.criteria.length > 0 ? score : null
}

function readThesis(thesis: unknown): ScoreShown['thesis'] {
  const code = isRecord(thesis) ? textOf(thesis.code) : null
  return isRecord(thesis) && code ? { id: textOf(thesis.id), code } : null
}

function readCriterion(criterion: unknown): CriterionShown[] {
  const name = isRecord(criterion) ? textOf(criterion.name) : null
  if (!isRecord(criterion) || !name) return []
  return [
    {
      name,
      weight: numberOf(criterion.weight),
      score: numberOf(criterion.score),
      reason: textOf(criterion.reason),
      evidence: textsOf(criterion.evidence),
    },
  ]
}
