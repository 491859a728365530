import { type Static, Type } from 'typebox'
import type { CompanyRecord, ThesisText } from '#src/client/client.ts'
import { fenced, MATERIAL_IS_DATA } from './material.ts'

/** To be raised with each change of what is asked: companies that were scored by another version are scored anew. */
export const SCORING_VERSION = 1

/** Evidence a score rests on; without any it is not above this. */
export const MAX_SCORE_WITHOUT_EVIDENCE = 50

export interface RubricCriterion {
  name: string
  /** Its share of the overall score; those of a rubric make 1. */
  weight: number
  question: string
}

const THESIS_FIT =
  'How well does the company fit what the thesis looks for: its subject, its market, its size and its conditions?'
const MARKET = 'How large is the market, how fast does it grow, and how badly are its customers in need?'
const PRODUCT = 'How clear is it what the company makes, and how hard would it be to do the same?'
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

/** A company to score, by what. */
export interface Subject {
  record: CompanyRecord
  thesis: ThesisText | null
  rubric: readonly RubricCriterion[]
}

const Judgement = Type.Object(
  {
    name: Type.String(),
    score: Type.Integer(),
    reason: Type.String(),
    evidence: Type.Array(Type.String()),
  },
  { additionalProperties: false },
)
export type Judgement = Static<typeof Judgement>

export const ScoringAnswer = Type.Object({ criteria: Type.Array(Judgement) }, { additionalProperties: false })
export type ScoringAnswer = Static<typeof ScoringAnswer>

/** What the model is to do with such a company. */
export const scoringInstructions = ({ rubric, thesis }: Subject): string =>
  `You score companies for a team of investors. You are given a company's record${thesis ? ', and the thesis that the team invests by' : ''}.
${MATERIAL_IS_DATA}

Judge the company by each of these criteria, by what the record says and nothing else:
${rubric.map(({ name, question }) => `- ${name}: ${question}`).join('\n')}

For each criterion give
- name: as above;
- score: a whole number from 0 (nothing speaks for it) to 100 (the best that you can think of). What the record does not tell of scores ${MAX_SCORE_WITHOUT_EVIDENCE} at most;
- reason: one or two sentences for an analyst;
- evidence: up to three quotations from the record, of several words or with a figure, word for word, that the score rests on; none where there are none.`

/** The company as the model is given it. */
export const scoringMaterial = ({ record, thesis }: Subject): string =>
  [...(thesis ? [fenced('thesis', textsOf(thesis))] : []), fenced('record', record)].join('\n\n')

const textsOf = ({ title, summary, report_markdown }: ThesisText) => ({ title, summary, report_markdown })

/** What is wrong with an answer that has the right shape; undefined: nothing. */
export function scoringFault({ rubric }: Subject, { criteria }: ScoringAnswer): string | undefined {
  const names = criteria.map(({ name }) => name)
  const missing = rubric.find(({ name }) => !names.includes(name))
  if (missing) return `The criterion ${missing.name} is missing.`
  if (names.length !== rubric.length)
    return `There must be ${rubric.length} criteria (${rubric.map(({ name }) => name).join(', ')}), not ${names.length}.`
  const wrong = criteria.find(({ score }) => score < 0 || score > 100)
  return wrong && `The score of ${wrong.name} must be from 0 to 100, not ${wrong.score}.`
}
