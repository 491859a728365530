import { type Static, Type } from 'typebox'
import type { CompanyRecord, ThesisText } from '#src/client/client.ts'
import { fenced, MATERIAL_IS_DATA } from './material.ts'

/** Raise it with each change to the prompt: companies scored with another version are scored again. */
export const SCORING_VERSION = 2

/** A score that no quotation from the record supports is capped at this. */
export const MAX_SCORE_WITHOUT_EVIDENCE = 50

export interface RubricCriterion {
  name: string
  /** Share of the overall score. The weights of a rubric add up to 1. */
  weight: number
  question: string
}

const THESIS_FIT =
  'How well does the company fit the thesis: its topic, its market, its size and its conditions?'
const MARKET = 'How large is the market, how fast does it grow, and how urgent is the need of its customers?'
const PRODUCT = 'How clear is it what the company makes, and how hard would it be to copy?'
const TRACTION = 'What has it achieved: customers, revenue, growth, employees?'
const TEAM = 'Who leads it, and what have they done before?'
const BUSINESS_MODEL = 'Who pays, for what, and how often?'

export const GENERAL_RUBRIC: readonly RubricCriterion[] = [
  { name: 'market', weight: 0.25, question: MARKET },
  { name: 'product', weight: 0.25, question: PRODUCT },
  { name: 'traction', weight: 0.25, question: TRACTION },
  { name: 'team', weight: 0.15, question: TEAM },
  { name: 'business_model', weight: 0.1, question: BUSINESS_MODEL },
]

export const THESIS_RUBRIC: readonly RubricCriterion[] = [
  { name: 'thesis_fit', weight: 0.4, question: THESIS_FIT },
  { name: 'market', weight: 0.15, question: MARKET },
  { name: 'product', weight: 0.15, question: PRODUCT },
  { name: 'traction', weight: 0.15, question: TRACTION },
  { name: 'team', weight: 0.1, question: TEAM },
  { name: 'business_model', weight: 0.05, question: BUSINESS_MODEL },
]

/** A company to score and the rubric to score it with. */
export interface Subject {
  record: CompanyRecord
  thesis: ThesisText | null
  rubric: readonly RubricCriterion[]
}

const Judgment = Type.Object(
  {
    name: Type.String(),
    score: Type.Integer(),
    reason: Type.String(),
    evidence: Type.Array(Type.String()),
  },
  { additionalProperties: false },
)
export type Judgment = Static<typeof Judgment>

export const ScoringAnswer = Type.Object({ criteria: Type.Array(Judgment) }, { additionalProperties: false })
export type ScoringAnswer = Static<typeof ScoringAnswer>

/** The system prompt for scoring this company. */
export const scoringInstructions = ({ rubric, thesis }: Subject): string =>
  `You score companies for a team of investors. You are given a company's record${thesis ? ' and the investment thesis of the team' : ''}.
${MATERIAL_IS_DATA}

Judge the company on each of these criteria. Use only what the record says:
${rubric.map(({ name, question }) => `- ${name}: ${question}`).join('\n')}

For each criterion, give
- name: the name above;
- score: an integer from 0 (nothing in its favor) to 100 (the best imaginable). If the record says nothing about a criterion, score it ${MAX_SCORE_WITHOUT_EVIDENCE} at most;
- reason: one or two sentences for an analyst;
- evidence: up to three verbatim quotations from the record that support the score, each with several words or a number. Leave it empty if there are none.`

/** The user message: the thesis and the record between tags. */
export const scoringMaterial = ({ record, thesis }: Subject): string =>
  [...(thesis ? [fenced('thesis', thesisFields(thesis))] : []), fenced('record', record)].join('\n\n')

const thesisFields = ({ title, summary, report_markdown }: ThesisText) => ({
  title,
  summary,
  report_markdown,
})

/** What is wrong with an answer that matches the schema, or undefined. */
export function scoringError({ rubric }: Subject, { criteria }: ScoringAnswer): string | undefined {
  const names = criteria.map(({ name }) => name)
  const missing = rubric.find(({ name }) => !names.includes(name))
  if (missing) return `The criterion ${missing.name} is missing.`
  if (names.length !== rubric.length)
    return `There must be ${rubric.length} criteria (${rubric.map(({ name }) => name).join(', ')}), not ${names.length}.`
  const wrong = criteria.find(({ score }) => score < 0 || score > 100)
  return wrong && `The score of ${wrong.name} must be between 0 and 100, not ${wrong.score}.`
}
