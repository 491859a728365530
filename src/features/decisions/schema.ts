import { type Static, Type } from 'typebox'
import { DECISION_OUTCOMES } from '#src/features/companies/schema.ts'
import {
  filterParameter,
  repeatedChoice,
  repeatedFilter,
  repeatedUserFilter,
  repeatedWordFilter,
  sortParameter,
} from '#src/platform/filter/schema.ts'
import { UserEmail } from '#src/platform/schema/email-address.ts'
import {
  Named,
  Nullable,
  OneOf,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
  Word,
} from '#src/platform/schema/shapes.ts'

export const OUTCOMES = DECISION_OUTCOMES
export type Outcome = (typeof OUTCOMES)[number]
export const VOTES = ['champion', 'yes', 'no', 'abstain'] as const
/** The limit of a body, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 100 * 1024
export const MAX_ASKED = 50
export const MAX_COMMENT_LENGTH = 2000
export const MAX_REASONS = 50

/** The writable fields. */
const decisionProperties = {
  deal_id: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The id of a deal of the company: df_…. It stays when the deal is in the trash, or purged.',
    }),
  ),
  outcome: Nullable({
    ...OneOf(OUTCOMES, { description: 'null: the decision is open, and users can vote.' }),
    'x-normalize': 'word' as const,
  }),
  reasons: Type.Array(Type.String({ ...Word, description: 'The key of a reason.' }), {
    maxItems: MAX_REASONS,
    description: 'Keys of configured reasons. `GET /api/decisions/reasons` lists them.',
  }),
  body: Type.String({ description: 'Markdown of up to 100 KB.' }),
  asked: Type.Array(UserEmail, {
    maxItems: MAX_ASKED,
    description: 'The users who are asked to vote. Others may vote too.',
  }),
  decided_at: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'When it was decided. By default, the time at which `outcome` is set. It may be in the past. null while the decision is open.',
    }),
  ),
  revisit_on: Nullable(
    Type.String({
      format: 'date',
      description:
        'The day to look at the company again, not before the day of the decision in the time zone of the workspace.',
    }),
  ),
}

export const vote = OneOf(VOTES, { description: 'champion: yes, and I will fight for it.' })
export const comment = Nullable(Type.String({ minLength: 1, maxLength: MAX_COMMENT_LENGTH, pattern: '\\S' }))

export const Vote = Named('Vote', {
  user_email: Type.String(),
  vote,
  comment,
  voted_at: Timestamp,
})

export const Decision = Named('Decision', {
  id: Type.String(),
  company_id: Type.String(),
  company_name: Type.String(),
  ...decisionProperties,
  votes: Type.Array(Vote, { description: 'One for each user, first voted first.' }),
  as_of: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'The time of the decision, for `GET /api/companies/:id?as_of=`, which shows the company and its deals as they were then. null: it is open, or the company was not recorded yet.',
    }),
  ),
  author_email: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Decision = Static<typeof Decision>

export const decisionExample: Decision = {
  id: 'dec_01jw3f8x6d2f4h6k8m0p2r4t6v',
  company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  company_name: 'Nordlys Robotics',
  deal_id: 'df_01jw3f8x61f5t8v0x2z4b6d8g0',
  outcome: 'pass',
  reasons: ['too_early', 'valuation'],
  body: 'Strong team, but **two pilots** are not enough for this price.',
  asked: ['ben@example.com'],
  votes: [
    {
      user_email: 'ben@example.com',
      vote: 'no',
      comment: 'Too early for us.',
      voted_at: '2026-03-02T09:10:00.000Z',
    },
  ],
  decided_at: '2026-03-02T09:30:00.000Z',
  revisit_on: '2026-09-01',
  as_of: '2026-03-02T09:30:00.000Z',
  author_email: 'ada@example.com',
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
}

const newExample = {
  company_id: decisionExample.company_id,
  outcome: decisionExample.outcome,
  reasons: decisionExample.reasons,
  body: decisionExample.body,
  revisit_on: decisionExample.revisit_on,
}

export const NewDecision = Strict(
  Type.Object(
    {
      company_id: Type.String({ minLength: 1, maxLength: 100, description: 'The id of a company: cmp_…' }),
      ...Type.Partial(Type.Object(decisionProperties)).properties,
    },
    { title: 'NewDecision', examples: [newExample] },
  ),
)
export type NewDecision = Static<typeof NewDecision>

/** Fields that a PATCH ignores. */
export const DECISION_READ_ONLY = [
  'id',
  'company_id',
  'company_name',
  'votes',
  'as_of',
  'author_email',
  'created_at',
  'updated_at',
] as const

export const DecisionPatch = {
  ...Patch(decisionProperties, DECISION_READ_ONLY),
  title: 'DecisionPatch',
  examples: [{ outcome: 'track', revisit_on: '2026-09-01' }],
}
export type DecisionPatch = Static<typeof DecisionPatch>

export const NewVote = Strict(
  Type.Object(
    { vote: { ...vote, 'x-normalize': 'word' as const }, comment: Type.Optional(comment) },
    { title: 'NewVote', examples: [{ vote: 'yes', comment: 'The pilots convinced me.' }] },
  ),
)
export type NewVote = Static<typeof NewVote>

export const decisionFilters = {
  company_id: repeatedFilter(),
  deal_id: repeatedFilter(),
  outcome: repeatedChoice(OUTCOMES),
  reason: repeatedWordFilter({ description: 'The key of a reason.' }),
  asked: repeatedUserFilter(),
  author_email: repeatedUserFilter(),
  open: Type.Optional(Type.Boolean({ description: 'Whether the decision is still open.' })),
  filter: filterParameter,
}

export const DecisionQuery = Strict(
  Type.Object({ ...pageQuery(), ...decisionFilters, sort: sortParameter() }),
)
export type DecisionQuery = Static<typeof DecisionQuery>
export type DecisionFilters = Omit<DecisionQuery, 'sort' | 'limit' | 'offset'>
