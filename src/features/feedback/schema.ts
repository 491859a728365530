import { type Static, Type } from 'typebox'
import {
  Data,
  EmailAddress,
  ErrorAnswer,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
  Word,
} from '#src/platform/schema/shapes.ts'

export const STATES = ['pending', 'filed'] as const

const fields = {
  type: Type.String({
    ...Word,
    description: 'A lower_snake_case word. Known: bug, feature, question, other.',
  }),
  title: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }),
  description: Type.String({ maxLength: 20_000 }),
  page: Nullable(
    Type.String({
      maxLength: 2048,
      description: 'Where it was noticed, such as a path of the front end.',
    }),
  ),
  user_email: Nullable(EmailAddress),
}

const nullableText = (description: string) => Nullable(Type.String({ description }))

export const Feedback = Named('Feedback', {
  id: Type.String(),
  ...fields,
  state: OneOf(STATES, { description: 'pending: kept here, to be filed as soon as the tracker takes it.' }),
  tracker: nullableText('Where it was filed: local, github, gitlab, linear or jira.'),
  issue_id: nullableText('As the tracker names the issue, such as 12 or PIPE-12.'),
  url: nullableText('Where the issue can be read.'),
  attempts: Type.Integer({ description: 'How often it was tried to file it.' }),
  last_failure: nullableText('Why the last try failed, while it is pending.'),
  created_at: Timestamp,
  filed_at: Nullable(Timestamp),
})
export type Feedback = Static<typeof Feedback>

export const feedbackExample: Feedback = {
  id: 'fb_01jw3f8x61g7v9x1z3b5d7f9h2',
  type: 'bug',
  title: 'The board forgets its filter',
  description: 'Choose a stage, open a deal, go back: all stages are shown again.',
  page: '/dealflow',
  user_email: 'ada@example.com',
  state: 'filed',
  tracker: 'github',
  issue_id: '12',
  url: 'https://github.com/example/deals/issues/12',
  attempts: 1,
  last_failure: null,
  created_at: '2026-03-02T09:30:00.000Z',
  filed_at: '2026-03-02T09:30:01.000Z',
}

export const NewFeedback = Strict(
  Type.Object(
    {
      type: Type.Optional(Type.String({ ...fields.type, default: 'other' })),
      title: fields.title,
      description: Type.Optional(Type.String({ ...fields.description, default: '' })),
      page: Type.Optional(fields.page),
      user_email: Type.Optional({
        ...fields.user_email,
        description: 'Who noticed it; without it the caller. In production it must be the caller.',
      }),
    },
    {
      title: 'NewFeedback',
      examples: [
        {
          type: 'bug',
          title: feedbackExample.title,
          description: feedbackExample.description,
          page: '/dealflow',
          user_email: 'ada@example.com',
        },
      ],
    },
  ),
)
export type NewFeedback = Static<typeof NewFeedback>

const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x20-\\x7e]+$',
      description:
        'Printable characters that the caller chooses for this one submission: sent again with the same key and body, it ' +
        'is filed once. A key with another body is a 409.',
    }),
  ),
})

export const Submitted = Type.Object(
  {
    success: Type.Boolean(),
    issue_id: Type.String({ description: 'As the tracker names the issue.' }),
    url: Type.String({ description: 'Where the issue can be read.' }),
    id: Type.String({ description: 'Of the feedback: fb_…' }),
  },
  {
    title: 'SubmittedFeedback',
    examples: [
      {
        success: true,
        issue_id: '12',
        url: 'https://github.com/example/deals/issues/12',
        id: feedbackExample.id,
      },
    ],
  },
)
export type Submitted = Static<typeof Submitted>

export const FeedbackQuery = Strict(
  Type.Object({ ...pageQuery(), state: Type.Optional({ ...OneOf(STATES), 'x-normalize': 'word' }) }),
)
export type FeedbackQuery = Static<typeof FeedbackQuery>

const tags = ['Feedback']

export const submitFeedback = endpoint('POST', '/api/feedback', {
  operationId: 'submitFeedback',
  tags,
  summary: 'Send in feedback',
  description:
    'Keeps it, and files an issue in the tracker. 503 when the tracker does not take it: the feedback is kept under the id ' +
    'that the details name, and is filed later.',
  headers: IdempotencyKey,
  body: NewFeedback,
  response: { 201: Submitted, 409: ErrorAnswer('This Idempotency-Key came with another body before.') },
})

export const listFeedback = endpoint('GET', '/api/feedback', {
  operationId: 'listFeedback',
  tags,
  summary: 'List feedback',
  description: 'Newest first.',
  querystring: FeedbackQuery,
  response: { 200: Page(Feedback, feedbackExample) },
})

export const getFeedback = endpoint('GET', '/api/feedback/:id', {
  operationId: 'getFeedback',
  tags,
  summary: 'Read feedback',
  description: 'With its state in the issue tracker.',
  params: Type.Object({ id: Type.String({ description: 'The id of feedback: fb_…' }) }),
  response: { 200: Data(Feedback, feedbackExample) },
})
