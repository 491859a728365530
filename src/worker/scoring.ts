import {
  BUILTIN_MODEL,
  type Criterion,
  type Result,
  type Score,
  type ScoringWork,
  type ThesisText,
} from '#src/client/client.ts'
import type { RetryOptions } from '#src/platform/models/backoff.ts'
import type { LanguageModel } from '#src/platform/models/language-model.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { callModel, requireSameModel } from './asking.ts'
import {
  cut,
  isInstruction,
  isMeaningful,
  linesOf,
  MADE_BY_RULES,
  quotedFrom,
  warningsOf,
} from './material.ts'
import {
  GENERAL_RUBRIC,
  type Judgement,
  MAX_SCORE_WITHOUT_EVIDENCE,
  SCORING_VERSION,
  ScoringAnswer,
  type Subject,
  scoringFault,
  scoringInstructions,
  scoringMaterial,
  THESIS_RUBRIC,
} from './scoring-prompt.ts'
import { judgeByRules } from './scoring-rules.ts'
import type { Handler } from './work.ts'

const MAX_EVIDENCE = 5

/** Scores the companies that have not been scored as they are now, by a model or, without one, by rules. */
export function scoringHandler(model: LanguageModel | undefined): Handler {
  const name = model?.name ?? BUILTIN_MODEL
  return async function* ({ scoring, is_over_budget }, progress) {
    if (!scoring) return
    requireSameModel(scoring.model, name)
    const theses = new Map(scoring.theses.map((thesis) => [thesis.id, thesis]))
    const companies = scoring.companies.map((company) => {
      const subject = subjectOf(company, theses)
      const input_hash = hashOf(subject)
      return {
        company_id: company.company_id,
        subject,
        input_hash,
        isScored: isScored(company, name, input_hash),
      }
    })
    const scored = companies.filter((company) => company.isScored)
    if (scored.length > 0) yield scored.map(({ company_id }) => ({ company_id }))
    if (is_over_budget) return
    const others = companies.filter((company) => !company.isScored)
    if (model) for (const company of others) yield [await scoreByModel(model, company, progress)]
    else if (others.length > 0)
      yield others.map(({ company_id, subject, input_hash }) => ({
        company_id,
        score: scoreOf(subject, name, input_hash, judgeByRules(subject)),
      }))
  }
}

function subjectOf({ record, thesis_id }: ScoringWork, theses: Map<string, ThesisText>): Subject {
  const thesis = (thesis_id && theses.get(thesis_id)) || null
  return { record, thesis, rubric: thesis ? THESIS_RUBRIC : GENERAL_RUBRIC }
}

/** Of all that the model is given, and of which thesis that is. */
const hashOf = (subject: Subject): string =>
  textHash(`${subject.thesis?.id ?? ''}\n${scoringMaterial(subject)}`)

const isScored = ({ scored }: ScoringWork, model: string, input_hash: string): boolean =>
  scored?.model === model && scored.prompt_version === SCORING_VERSION && scored.input_hash === input_hash

async function scoreByModel(
  model: LanguageModel,
  { company_id, subject, input_hash }: { company_id: string; subject: Subject; input_hash: string },
  asking: RetryOptions,
): Promise<Result> {
  const answered = await callModel(company_id, () =>
    model.ask(
      {
        instructions: scoringInstructions(subject),
        material: scoringMaterial(subject),
        schema: ScoringAnswer,
        validate: (answer) => scoringFault(subject, answer),
      },
      asking,
    ),
  )
  if ('error' in answered) return answered
  const { answer, usage } = answered
  return { company_id, score: scoreOf(subject, model.name, input_hash, answer.criteria), usage }
}

/** The score that judgements make: their weighted mean, of what they can prove. Warnings tell what was corrected. */
function scoreOf(
  { record, thesis, rubric }: Subject,
  model: string,
  input_hash: string,
  judgements: Judgement[],
): Score {
  const lines = linesOf(record)
  const isQuoted = quotedFrom(lines.join('\n'))
  const isProof = (quotation: string) =>
    isMeaningful(quotation) && isQuoted(quotation) && !isInstruction(quotation)
  const corrections: string[] = []
  const criteria = rubric.map(({ name, weight }): Criterion => {
    const { score, reason, evidence } = judgements.find((judgement) => judgement.name === name) as Judgement
    const proven = evidence.filter(isProof)
    const allowed = proven.length > 0 ? score : Math.min(score, MAX_SCORE_WITHOUT_EVIDENCE)
    if (proven.length < evidence.length)
      corrections.push(
        `${name}: ${evidence.length - proven.length} of ${evidence.length} quotations prove nothing or are not in the record, and were left out.`,
      )
    if (allowed < score)
      corrections.push(`${name}: the model's ${score} counts as ${allowed}, for want of words of the record.`)
    return {
      name,
      weight,
      score: allowed,
      reason: cut(reason, 2000),
      evidence: proven.slice(0, MAX_EVIDENCE).map((quotation) => cut(quotation, 500)),
    }
  })
  return {
    overall: Math.round(criteria.reduce((sum, { weight, score }) => sum + weight * score, 0)),
    model: cut(model, 200),
    prompt_version: SCORING_VERSION,
    input_hash,
    thesis: thesis && { id: thesis.id, code: thesis.code, version: thesis.version },
    criteria,
    warnings: [
      ...(model === BUILTIN_MODEL ? [MADE_BY_RULES] : []),
      ...warningsOf({ record: lines.join('\n') }),
      ...corrections,
    ],
  }
}
