import { Type } from 'typebox'
import { Data, ErrorAnswer, endpoint, Named, Page } from '#src/platform/schema/shapes.ts'
import { BulkActionCompany, BulkActionCompanyQuery } from './company-schema.ts'
import {
  BulkAction,
  BulkActionPatch,
  BulkActionPath,
  BulkActionQuery,
  BulkActionSelection,
  bulkActionExample,
  MAX_COMPANIES,
  NewBulkAction,
  tags,
} from './schema.ts'

export const createBulkAction = endpoint('POST', '/api/bulk-actions', {
  operationId: 'createBulkAction',
  'x-action': 'bulk',
  tags,
  'x-rate-class': 'bulk',
  summary: 'Start a bulk action',
  description:
    `Processes the companies with these ids, or up to ${MAX_COMPANIES} that match filter and search. ` +
    'generate_embeddings indexes companies for semantic search. llm_score scores each one against its own thesis, or the ' +
    "action's thesis, or in general if there is neither. enrich_profile writes profiles. Companies that have not changed " +
    'since the last time count as processed, unless force is true. The most urgent action runs first, batch by batch. ' +
    'llm_score and enrich_profile need a language model. Without one, the action stays pending and waiting_for says which ' +
    'settings are missing.',
  body: NewBulkAction,
  response: {
    201: Data(BulkAction, {
      ...bulkActionExample,
      status: 'pending',
      processed_companies: 0,
      failed_companies: 0,
      error_summary: {},
    }),
    409: ErrorAnswer('The number of companies is not the expected one.'),
  },
})

export const previewBulkAction = endpoint('POST', '/api/bulk-actions/preview', {
  operationId: 'previewBulkAction',
  'x-action': 'read',
  'x-reads-only': true,
  'x-idempotency': 'none',
  tags,
  summary: 'Count the scores that people entered',
  description:
    'Before llm_score is started: how many companies have a score that a person entered or imported, and whether the action ' +
    'would ask for them (existing). Changes nothing.',
  body: BulkActionSelection,
  response: {
    200: Data(
      Named('BulkActionPreview', {
        total_companies: Type.Integer(),
        entered_scores: Type.Integer({
          description: 'Companies whose score no bulk action has written as it is.',
        }),
        can_replace: Type.Boolean({
          description: 'false: the scores come from the built-in rules, which keep them.',
        }),
      }),
      { total_companies: 40, entered_scores: 12, can_replace: true },
    ),
  },
})

export const listBulkActions = endpoint('GET', '/api/bulk-actions', {
  operationId: 'listBulkActions',
  'x-action': 'read',
  tags,
  summary: 'List your own bulk actions',
  description: 'Newest first. 401 for requests without a user.',
  querystring: BulkActionQuery,
  response: { 200: Page(BulkAction, bulkActionExample) },
})

export const getBulkAction = endpoint('GET', '/api/bulk-actions/:id', {
  operationId: 'getBulkAction',
  'x-action': 'read',
  tags,
  summary: 'Read a bulk action and its progress',
  description: 'Its counters, its errors and, while it cannot run, what it is waiting for.',
  params: BulkActionPath,
  response: { 200: Data(BulkAction, bulkActionExample) },
})

export const updateBulkAction = endpoint('PATCH', '/api/bulk-actions/:id', {
  operationId: 'updateBulkAction',
  'x-action': 'bulk',
  tags,
  summary: 'Cancel a bulk action, or report its progress as an external worker',
  description:
    'In production, the user who started the action may cancel it and change token_budget, and an admin may cancel it. Only the worker may change ' +
    'other fields. In development, everyone may. A report sets the status from any state, and the included worker then ' +
    'leaves the action alone. Reported counters replace the current ones, and each is at most total_companies; a counter ' +
    'that is not sent keeps its value. If both add up to more than total_companies, failed_companies counts as part of ' +
    'processed_companies. If the status is completed and processed_companies was ' +
    'never reported, all companies that have not failed count as processed. completed_at defaults to the current time when ' +
    'an action ends. A body with a read-only field is a whole record sent back: its read-only and unchanged fields are ignored, and, for ' +
    'callers who may not report, those of the worker.',
  params: BulkActionPath,
  body: BulkActionPatch,
  response: {
    200: Data(BulkAction, {
      ...bulkActionExample,
      status: 'cancelled',
      completed_at: bulkActionExample.updated_at,
    }),
  },
})

export const retryBulkAction = endpoint('POST', '/api/bulk-actions/:id/retry', {
  operationId: 'retryBulkAction',
  'x-action': 'bulk',
  tags,
  'x-rate-class': 'bulk',
  summary: 'Retry the failed companies',
  description:
    'Companies that were still pending when the action ended are retried too. The included worker takes over from an ' +
    'external worker. 409 if no company is left to retry, or if the action was canceled.',
  params: BulkActionPath,
  response: {
    200: Data(BulkAction, { ...bulkActionExample, failed_companies: 0, error_summary: {} }),
    409: ErrorAnswer('No company is left to retry, or the action was canceled.'),
  },
})

export const listBulkActionCompanies = endpoint('GET', '/api/bulk-actions/:id/companies', {
  operationId: 'listBulkActionCompanies',
  'x-action': 'read',
  tags,
  summary: 'List the companies of a bulk action and their states',
  description: 'With the error of each company that failed, and the scores before and after.',
  params: BulkActionPath,
  querystring: BulkActionCompanyQuery,
  response: {
    200: Page(BulkActionCompany, {
      company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
      name: 'Nordlys Robotics',
      state: 'failed',
      attempts: 1,
      error_kind: 'refused',
      error: 'The embedding endpoint returned a vector of zeros.',
      previous_score: null,
      score: null,
      kept: false,
    }),
  },
})

export const getBulkActionEvents = endpoint('GET', '/api/bulk-actions/:id/events', {
  operationId: 'getBulkActionEvents',
  'x-action': 'read',
  tags,
  summary: 'Follow a bulk action',
  description:
    'Server-sent events. A progress event carries the action, first immediately and then after each change. An end event ' +
    'closes the stream. Close the EventSource then, or the browser reconnects. A user may have 10 streams open, and a ' +
    'process serves 500; more are a 429. A stream ends when the credential that opened it expires, or when ' +
    'the session may have been idle for SESSION_IDLE_HOURS.',
  params: BulkActionPath,
  produces: ['text/event-stream'],
  response: {
    200: Type.String({ examples: ['event: progress\ndata: {"id":"ba_…","status":"running"}\n\n'] }),
  },
})
