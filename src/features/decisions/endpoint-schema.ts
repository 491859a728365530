import { Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import { bomParameter } from '#src/features/companies/export/export-schema.ts'
import { deleted, gone, idPath } from '#src/features/trash/schema.ts'
import { Data, ErrorAnswer, endpoint, IfMatch, Page, Strict } from '#src/platform/schema/shapes.ts'
import {
  Decision,
  DecisionPatch,
  DecisionQuery,
  decisionExample,
  decisionFilters,
  NewDecision,
  NewVote,
} from './schema.ts'

const path = idPath('The id of a decision: dec_…')
const tags = ['Decisions']
const closed = ErrorAnswer('The decision has been taken. Votes are possible while it is open.')

export const listDecisions = endpoint('GET', '/api/decisions', {
  operationId: 'listDecisions',
  'x-action': 'read',
  tags,
  summary: 'List decisions',
  description: 'By default open ones first, then last decided first. The total is exact.',
  querystring: DecisionQuery,
  response: { 200: Page(Decision, decisionExample) },
})

export const getDecision = endpoint('GET', '/api/decisions/:id', {
  operationId: 'getDecision',
  'x-action': 'read',
  tags,
  summary: 'Read a decision',
  description: 'With the name of its company, and the votes.',
  params: path,
  querystring: Strict(
    Type.Object({
      as_of: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Show the decision as it was at this time, with the present name of the company. 404 before it existed.',
        }),
      ),
    }),
  ),
  response: { 200: Data(Decision, decisionExample) },
})

export const createDecision = endpoint('POST', '/api/decisions', {
  operationId: 'createDecision',
  'x-action': 'write',
  tags,
  summary: 'Record a decision, or ask for one',
  description:
    'Only `company_id` is required. With an `outcome`, the decision is taken; without one, it is open and users can vote.',
  body: NewDecision,
  response: { 201: Data(Decision, decisionExample) },
})

export const updateDecision = endpoint('PATCH', '/api/decisions/:id', {
  operationId: 'updateDecision',
  'x-action': 'write_own',
  tags,
  summary: 'Change or take a decision',
  description:
    'Fields that are not sent keep their values. An `outcome` takes an open decision; null opens it again. Decisions of others need the permission to delete.',
  headers: IfMatch,
  params: path,
  body: DecisionPatch,
  response: { 200: Data(Decision, decisionExample) },
})

export const getDecisionHistory = historyEndpoint(
  '/api/decisions/:id/history',
  'getDecisionHistory',
  'Decisions',
  'decision',
)

export const deleteDecision = endpoint('DELETE', '/api/decisions/:id', {
  operationId: 'deleteDecision',
  'x-action': 'write_own',
  tags,
  summary: 'Delete a decision',
  description: `${deleted('decision')} Decisions of others need the permission to delete.`,
  params: path,
  response: gone,
})

export const putVote = endpoint('PUT', '/api/decisions/:id/vote', {
  operationId: 'putVote',
  'x-action': 'write',
  tags,
  summary: 'Vote on an open decision',
  description: 'Each user has one vote. A second one replaces it. Those who were not asked may vote too.',
  params: path,
  body: NewVote,
  response: { 200: Data(Decision, decisionExample), 409: closed },
})

export const deleteVote = endpoint('DELETE', '/api/decisions/:id/vote', {
  operationId: 'deleteVote',
  'x-action': 'write',
  tags,
  summary: 'Withdraw your vote',
  description: 'Only while the decision is open. 404 without a vote.',
  params: path,
  response: { ...gone, 409: closed },
})

export const exportDecisions = endpoint('GET', '/api/decisions/export', {
  operationId: 'exportDecisions',
  'x-action': 'export',
  tags,
  summary: 'Export decisions as a CSV file',
  description: 'Oldest first. Takes the filters of the list. Several values are separated by semicolons.',
  produces: ['text/csv'],
  querystring: Strict(Type.Object({ ...decisionFilters, bom: bomParameter })),
  response: {
    200: Type.String({
      description: 'Text that a spreadsheet would run as a formula begins with an apostrophe.',
      examples: [
        `id,company_name,outcome,reasons\r\n${decisionExample.id},Nordlys Robotics,pass,too_early; valuation\r\n`,
      ],
    }),
  },
})
