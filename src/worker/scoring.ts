import {
  BUILTIN_MODEL,
  type Criterion,
  type Result,
  type Score,
  type ScoringWork,
  type ThesisText,
} from '#src/client/client.ts'
import type { LanguageModel } from '#src/platform/language-model/language-model.ts'
import type { RetryOptions } from '#src/platform/language-model/retries.ts'
import { textHash } from '#src/platform/text-hash.ts'
import {
  createQuoteMatcher,
  instructionWarnings,
  isInstruction,
  isMeaningful,
  RULES_WARNING,
  recordLines,
  storable,
} from './material.ts'
import { callModel, requireSameModel } from './model-calls.ts'
import { loweredScore, removedQuotes } from './score-sentences.ts'
import {
  GENERAL_RUBRIC,
  type Judgment,
  MAX_SCORE_WITHOUT_EVIDENCE,
  SCORING_VERSION,
  ScoringAnswer,
  type Subject,
  scoringError,
  scoringInstructions,
  scoringMaterial,
  THESIS_RUBRIC,
} from './scoring-prompt.ts'
import { judgeByRules } from './scoring-rules.ts'
import type { Handler } from './work.ts'

const MAX_EVIDENCE = 5

/** Scores the companies that have changed since their last score, with a model or, without one, by rules. */
export function scoringHandler(model: LanguageModel | undefined): Handler {
  const name = model?.name ?? BUILTIN_MODEL
  return async function* ({ scoring, is_over_budget }, progress) {
    if (!scoring) return
    requireSameModel(scoring.model, name)
    const theses = new Map(scoring.theses.map((thesis) => [thesis.id, thesis]))
    const companies = scoring.companies.map((company) => {
      const subject = toSubject(company, theses)
      const input_hash = hashInput(subject)
      return {
        company_id: company.company_id,
        subject,
        input_hash,
        // Rules cost nothing, and their score is shown beside the one that is kept.
        isScored: isScored(company, name, input_hash) || (company.kept && model !== undefined),
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
        score: buildScore(subject, name, input_hash, judgeByRules(subject)),
      }))
  }
}

function toSubject({ record, thesis_id }: ScoringWork, theses: Map<string, ThesisText>): Subject {
  const thesis = (thesis_id && theses.get(thesis_id)) || null
  return { record, thesis, rubric: thesis ? THESIS_RUBRIC : GENERAL_RUBRIC }
}

/** Hashes everything that the model sees, and the id of the thesis. */
const hashInput = (subject: Subject): string =>
  textHash(`${subject.thesis?.id ?? ''}\n${scoringMaterial(subject)}`)

const isScored = ({ scored }: ScoringWork, model: string, input_hash: string): boolean =>
  scored?.model === model && scored.prompt_version === SCORING_VERSION && scored.input_hash === input_hash

async function scoreByModel(
  model: LanguageModel,
  { company_id, subject, input_hash }: { company_id: string; subject: Subject; input_hash: string },
  retryOptions: RetryOptions,
): Promise<Result> {
  const answered = await callModel(company_id, () =>
    model.ask(
      {
        instructions: scoringInstructions(subject),
        material: scoringMaterial(subject),
        schema: ScoringAnswer,
        validate: (answer) => scoringError(subject, answer),
      },
      retryOptions,
    ),
  )
  if ('error' in answered) return answered
  const { answer, common } = answered
  return { company_id, score: buildScore(subject, model.name, input_hash, answer.criteria), ...common }
}

/** Builds a score: the weighted mean of the judgments, each capped without evidence. Warnings list the corrections. */
function buildScore(
  { record, thesis, rubric }: Subject,
  model: string,
  input_hash: string,
  judgments: Judgment[],
): Score {
  const lines = recordLines(record)
  const isQuoted = createQuoteMatcher(lines.join('\n'))
  const isValidEvidence = (quotation: string) =>
    isMeaningful(quotation) && isQuoted(quotation) && !isInstruction(quotation)
  const corrected = rubric.map((criterion) => {
    const judgment = judgments.find(({ name }) => name === criterion.name) as Judgment
    return correct(judgment, criterion.weight, isValidEvidence)
  })
  const criteria = corrected.map(({ criterion }) => criterion)
  return {
    overall: Math.round(criteria.reduce((sum, { weight, score }) => sum + weight * score, 0)),
    model: storable(model, 200),
    prompt_version: SCORING_VERSION,
    input_hash,
    thesis: thesis && scoredThesis(thesis),
    criteria,
    warnings: [
      ...(model === BUILTIN_MODEL ? [RULES_WARNING] : []),
      ...instructionWarnings({ record: lines.join('\n') }),
      ...corrected.flatMap(({ corrections }) => corrections),
    ],
  }
}

const scoredThesis = ({ id, code, version, text_hash }: ThesisText) => ({ id, code, version, text_hash })

/** Removes invalid evidence from a judgment, and lowers a score that is left without any. */
function correct(
  { name, score, reason, evidence }: Judgment,
  weight: number,
  isValidEvidence: (quotation: string) => boolean,
): { criterion: Criterion; corrections: string[] } {
  const corrections: string[] = []
  const valid = evidence.filter(isValidEvidence)
  const allowed = valid.length > 0 ? score : Math.min(score, MAX_SCORE_WITHOUT_EVIDENCE)
  if (valid.length < evidence.length)
    corrections.push(removedQuotes(name, evidence.length - valid.length, evidence.length))
  if (allowed < score) corrections.push(loweredScore(name, score, allowed))
  const criterion = {
    name,
    weight,
    score: allowed,
    reason: storable(reason, 2000),
    evidence: valid.slice(0, MAX_EVIDENCE).map((quotation) => storable(quotation, 500)),
  }
  return { criterion, corrections }
}
