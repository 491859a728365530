import { type Static, Type } from 'typebox'
import { companyFilters } from '#src/features/companies/filters-schema.ts'
import { Company, companyExample } from '#src/features/companies/schema.ts'
import { Criterion } from '#src/features/theses/schema.ts'
import {
  Data,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Pagination,
  pageQuery,
  readOnlyFields,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const VERDICTS = ['up', 'down'] as const
export type Verdict = (typeof VERDICTS)[number]

export const MATCH_SORTS = ['match', 'score'] as const

const criterion = Criterion.properties

export const MatchReason = Named('MatchReason', {
  criterion: criterion.text,
  weight: criterion.weight,
  kind: criterion.kind,
  negative: criterion.negative,
  met: Type.Boolean({ description: 'Whether the company meets it, by its words or its meaning.' }),
  quote: Nullable(
    Type.String({ description: "The company's own sentence that supports it; null if it does not meet it." }),
  ),
})
export type MatchReason = Static<typeof MatchReason>

const MatchScore = Named('MatchScore', {
  overall: Type.Integer({ minimum: 0, maximum: 100 }),
  model: Type.String({ description: 'The language model, or the rules that replace one.' }),
  scored_at: Timestamp,
  is_outdated: Type.Boolean({ description: 'Whether the texts of the thesis have changed since.' }),
})
export type MatchScore = Static<typeof MatchScore>

export const ThesisMatch = Named('ThesisMatch', {
  ...Company.properties,
  fit: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How well the company fits. It says which match is better, not by how much.',
  }),
  reasons: Type.Array(MatchReason, { description: 'One for each criterion, in their order.' }),
  thesis_score: {
    ...Nullable(MatchScore),
    description:
      'What the bulk action llm_score found for this thesis. null: `llm_score_overall` is empty, was entered by a person, ' +
      'or is about another thesis.',
  },
  verdict: Nullable(OneOf(VERDICTS)),
  is_new: Type.Boolean({
    description:
      'Whether the company was added, or its text changed, after you last looked (`POST …/matches/seen`).',
  }),
})
export type ThesisMatch = Static<typeof ThesisMatch>

export const MatchQuery = Strict(
  Type.Object({
    ...pageQuery(20),
    ...companyFilters,
    exclude_in_pipeline: Type.Optional(
      Type.Boolean({ default: false, description: 'Leaves out companies that have an active deal.' }),
    ),
    verdict: Type.Optional(
      OneOf([...VERDICTS, 'none'], { description: 'Only matches with this verdict; none: without one.' }),
    ),
    sort: Type.Optional(
      OneOf(MATCH_SORTS, {
        default: 'match',
        description:
          'match: the best match first. score: the highest `thesis_score` first; equal ones, and matches without one, by match.',
      }),
    ),
  }),
)
export type MatchQuery = Static<typeof MatchQuery>

const tags = ['Theses']
const thesisId = Type.String({ description: 'The id of a thesis: th_…' })
const ThesisPath = Type.Object({ id: thesisId })

const thesisExample = 'th_01jw3f8x5y1c3e5g7j9m1p3r5t'
const criterionExample: Criterion = {
  text: 'Robots for mid-sized warehouses',
  weight: 3,
  kind: 'must',
  negative: false,
}
const { text, ...options } = criterionExample
const matchExample: ThesisMatch = {
  ...companyExample,
  fit: 0.61,
  reasons: [{ criterion: text, ...options, met: true, quote: 'Picking robots for mid-sized warehouses.' }],
  thesis_score: {
    overall: 78,
    model: 'gpt-5-mini',
    scored_at: '2026-03-02T09:30:04.000Z',
    is_outdated: false,
  },
  verdict: null,
  is_new: false,
}

const ThesisMatchList = Type.Object(
  {
    data: Type.Array(ThesisMatch),
    pagination: Pagination,
    answering: Type.String({
      description: 'The model whose vectors are compared, together with words. words: no model answers.',
    }),
    is_semantic: Type.Boolean({ description: 'Whether a model answers.' }),
    until: Type.String({
      format: 'date-time',
      description:
        'The moment of this answer. Send it to `POST …/matches/seen` when you have seen the matches.',
    }),
  },
  {
    title: 'ThesisMatchList',
    examples: [
      {
        data: [matchExample],
        pagination: { total: 1, limit: 20, offset: 0, hasMore: false },
        answering: 'universal-sentence-encoder-lite, text 1',
        is_semantic: true,
        until: '2026-03-02T09:30:00.000Z',
      },
    ],
  },
)

export const listThesisMatches = endpoint('GET', '/api/theses/:id/matches', {
  operationId: 'listThesisMatches',
  'x-action': 'read',
  tags,
  'x-rate-class': 'ai',
  summary: 'Find companies for a thesis',
  description:
    'Up to 600 companies, best first: the 300 best by words and the 300 best by vectors for all criteria together, without ' +
    'those that fit much less than the best one. Verdicts move the ranking toward approved companies. Without an embedding ' +
    'model that answers, words are ranked. `sort=score` lists the companies with the highest `thesis_score` first.',
  params: ThesisPath,
  querystring: MatchQuery,
  response: { 200: ThesisMatchList },
})

const ThesisCriteria = Named('ThesisCriteria', {
  criteria: Type.Array(Criterion),
  is_derived: Type.Boolean({
    description: "Whether they are taken from the thesis's texts, because none were entered.",
  }),
})

export const getThesisCriteria = endpoint('GET', '/api/theses/:id/criteria', {
  operationId: 'getThesisCriteria',
  'x-action': 'read',
  tags,
  summary: 'Read the ranking criteria of a thesis',
  description:
    'To change them, `PATCH /api/theses/:id` with `criteria`; null takes them from the texts again.',
  params: ThesisPath,
  response: { 200: Data(ThesisCriteria, { criteria: [criterionExample], is_derived: true }) },
})

const MatchVerdict = Named('MatchVerdict', {
  thesis_id: Type.String(),
  company_id: Type.String(),
  verdict: Nullable(OneOf(VERDICTS)),
})

const NewVerdict = Strict(
  Type.Object(
    {
      ...readOnlyFields([...Object.keys(ThesisMatch.properties), 'thesis_id', 'company_id']),
      verdict: Nullable(OneOf(VERDICTS, { description: 'up: fits. down: does not. null: no verdict.' })),
    },
    { title: 'NewVerdict', examples: [{ verdict: 'up' }] },
  ),
)

export const judgeMatch = endpoint('PATCH', '/api/theses/:id/matches/:company_id', {
  operationId: 'judgeMatch',
  'x-action': 'write',
  tags,
  summary: 'Approve or reject a match',
  description:
    'The team shares one verdict on each company. It can be given to any company, and adjusts the ranking.',
  params: Type.Object({
    id: thesisId,
    company_id: Type.String({ description: 'The id of a company: cmp_…' }),
  }),
  body: NewVerdict,
  response: {
    200: Data(MatchVerdict, { thesis_id: thesisExample, company_id: companyExample.id, verdict: 'up' }),
  },
})

export const markMatchesSeen = endpoint('POST', '/api/theses/:id/matches/seen', {
  operationId: 'markMatchesSeen',
  'x-action': 'account',
  tags,
  summary: 'Mark the matches of a thesis as seen',
  description:
    'From now on, `is_new` marks companies that were added or whose text changed after this, or after `until`. All matches ' +
    'of the thesis from before are marked as seen, those on other pages as well.',
  params: ThesisPath,
  querystring: Strict(
    Type.Object({
      until: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'The `until` of the list that you have seen. A later one than now means now.',
          examples: ['2026-03-02T09:30:00.000Z'],
        }),
      ),
    }),
  ),
  response: {
    200: Data(Named('MatchesSeen', { seen_at: Timestamp }), { seen_at: '2026-03-02T09:30:00.000Z' }),
  },
})
