import { type Static, Type } from 'typebox'
import { EmailAddress } from '#src/platform/schema/email-address.ts'
import {
  Data,
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

export const STATES = ['pending', 'rejected', 'filed'] as const
export type State = (typeof STATES)[number]

/** The known types. Feedback may have others. */
export const FEEDBACK_TYPES = ['bug', 'feature', 'question', 'other'] as const
export const MAX_FEEDBACK_TITLE_LENGTH = 300
export const MAX_FEEDBACK_LENGTH = 20_000
export const MAX_PAGE_LENGTH = 2048

const fields = {
  type: Type.String({
    ...Word,
    description: `A lower_snake_case word. Known: ${FEEDBACK_TYPES.join(', ')}.`,
  }),
  title: Type.String({ minLength: 1, maxLength: MAX_FEEDBACK_TITLE_LENGTH, pattern: '\\S' }),
  description: Type.String({ maxLength: MAX_FEEDBACK_LENGTH }),
  page: Nullable(
    Type.String({
      maxLength: MAX_PAGE_LENGTH,
      description: 'Where it happened, such as a path in the web app.',
    }),
  ),
  user_email: Nullable(EmailAddress),
}

const nullableText = (description: string) => Nullable(Type.String({ description }))

export const Feedback = Named('Feedback', {
  id: Type.String(),
  ...fields,
  state: OneOf(STATES, {
    description:
      'pending: stored here, and filed as soon as the tracker accepts it. rejected: stored here, and the tracker has ' +
      'rejected it, after at least five attempts; last_failure gives the reason.',
  }),
  tracker: nullableText('Where the issue was filed: local, github, gitlab, linear or jira.'),
  issue_id: nullableText('Id of the issue in the tracker, such as 12 or PIPE-12.'),
  url: nullableText('URL of the issue.'),
  attempts: Type.Integer({ description: 'Number of attempts to file it.' }),
  last_failure: nullableText(
    "Until it is filed, why the last attempt failed, in the tracker's own words if it states a reason.",
  ),
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
        description: 'The reporter. The default is the caller, and in production it must be the caller.',
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
        'A key for this submission, in printable characters. Requests with the same key and body are filed once. The same ' +
        'key with another body is a 422.',
    }),
  ),
})

export const Submitted = Type.Object(
  {
    success: Type.Boolean(),
    issue_id: Type.String({ description: 'Id of the issue in the tracker.' }),
    url: Type.String({ description: 'URL of the issue.' }),
    id: Type.String({ description: 'The id of the feedback: fb_…' }),
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
  'x-action': 'account',
  tags,
  summary: 'Submit feedback',
  description:
    'Stores the feedback and files an issue in the tracker. 503 if the tracker does not accept it now: the feedback is ' +
    'stored under the id in the details and filed later.',
  'x-idempotency': 'own',
  headers: IdempotencyKey,
  body: NewFeedback,
  response: {
    201: Submitted,
    409: ErrorAnswer('The feedback with this Idempotency-Key was just deleted.'),
    422: ErrorAnswer('This Idempotency-Key was already used with another body.'),
  },
})

export const listFeedback = endpoint('GET', '/api/feedback', {
  operationId: 'listFeedback',
  'x-action': 'read',
  tags,
  summary: 'List feedback',
  description: 'Newest first.',
  querystring: FeedbackQuery,
  response: { 200: Page(Feedback, feedbackExample) },
})

export const getFeedback = endpoint('GET', '/api/feedback/:id', {
  operationId: 'getFeedback',
  'x-action': 'read',
  tags,
  summary: 'Read feedback',
  description: 'With its state in the issue tracker.',
  params: Type.Object({ id: Type.String({ description: 'The id of feedback: fb_…' }) }),
  response: { 200: Data(Feedback, feedbackExample) },
})

export const retryFeedback = endpoint('POST', '/api/feedback/:id/retry', {
  operationId: 'retryFeedback',
  'x-action': 'configure',
  tags,
  summary: 'File rejected feedback again',
  description:
    'Files feedback that the tracker has rejected, for example after a change of its settings. Pending feedback is retried ' +
    'automatically.',
  params: Type.Object({ id: Type.String({ description: 'The id of feedback: fb_…' }) }),
  response: {
    200: Data(Feedback, {
      ...feedbackExample,
      state: 'pending',
      tracker: null,
      issue_id: null,
      url: null,
      filed_at: null,
    }),
    409: ErrorAnswer('The feedback is pending or filed.'),
  },
})
