import { BUILTIN_MODEL } from '#src/client/client.ts'
import { strings } from '#strings/company.ts'
import { asNumber, asText, asTexts, asTimestamp, isRecord } from './type-guards.ts'

export interface ScoreCriterion {
  name: string
  weight: number | null
  score: number | null
  reason: string | null
  evidence: string[]
}

export interface ScoreDetails {
  overall: number | null
  model: string | null
  scoredAt: string | null
  bulkAction: string | null
  thesis: { id: string | null; code: string } | null
  criteria: ScoreCriterion[]
  warnings: string[]
}

/** Reads `llm_score_details` as far as it has the expected shape. Returns null if it does not. */
export function readScore(details: unknown): ScoreDetails | null {
  if (!isRecord(details)) return null
  const score: ScoreDetails = {
    overall: asNumber(details.overall),
    model: asText(details.model),
    scoredAt: asTimestamp(details.scored_at),
    bulkAction: asText(details.bulk_action_id),
    thesis: readThesis(details.thesis),
    criteria: Array.isArray(details.criteria) ? details.criteria.flatMap(readCriterion) : [],
    warnings: asTexts(details.warnings),
  }
  return score.model || score.criteria.length > 0 ? score : null
}

/** What gave the score. In a demo, rules replace a language model. */
export const scoredBy = (model: string): string =>
  model === BUILTIN_MODEL ? strings.demoScore : strings.scoredBy(model)

/** Lines of the record that reasons quote: `employee_count: 84` becomes `Employees: 84`. */
export function readableQuote(words: string): { label: string | null; text: string } {
  const [, field = '', value = ''] = /^(\w+): (.*)$/s.exec(words) ?? []
  const label = strings.recordFields[field]
  return label ? { label, text: value.replaceAll(/\b(?:name|title): /g, '') } : { label: null, text: words }
}

function readThesis(thesis: unknown): ScoreDetails['thesis'] {
  const code = isRecord(thesis) ? asText(thesis.code) : null
  return isRecord(thesis) && code ? { id: asText(thesis.id), code } : null
}

function readCriterion(criterion: unknown): ScoreCriterion[] {
  const name = isRecord(criterion) ? asText(criterion.name) : null
  if (!isRecord(criterion) || !name) return []
  return [
    {
      name,
      weight: asNumber(criterion.weight),
      score: asNumber(criterion.score),
      reason: asText(criterion.reason),
      evidence: asTexts(criterion.evidence),
    },
  ]
}
