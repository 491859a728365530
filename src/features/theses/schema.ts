import { type Static, Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import { deleted, gone, idPath } from '#src/features/trash/schema.ts'
import { filterParameter, repeatedWordFilter, sortParameter } from '#src/platform/filter/schema.ts'
import {
  Data,
  ErrorAnswer,
  endpoint,
  filterValue,
  IfMatch,
  Named,
  Nullable,
  OneOf,
  Page,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
  Word,
} from '#src/platform/schema/shapes.ts'

/** The known statuses. Theses may have others. */
export const THESIS_STATUSES = ['active', 'draft', 'archived'] as const
export const MAX_CODE_LENGTH = 64
export const MAX_THESIS_TITLE_LENGTH = 500
export const MAX_SUMMARY_LENGTH = 20_000
export const MAX_CRITERIA = 30
export const MAX_CRITERION_LENGTH = 300
export const MIN_CRITERION_WEIGHT = 0.1
export const MAX_CRITERION_WEIGHT = 10

const criterionFields = {
  text: Type.String({
    minLength: 1,
    maxLength: MAX_CRITERION_LENGTH,
    pattern: '\\S',
    description: 'What a company should do or have, in a few words.',
  }),
  weight: Type.Number({
    minimum: MIN_CRITERION_WEIGHT,
    maximum: MAX_CRITERION_WEIGHT,
    default: 1,
    description: 'Its weight relative to the other criteria.',
  }),
  kind: OneOf(['must', 'nice'], {
    default: 'nice',
    description: 'must: a company that does not meet it ranks much lower.',
  }),
  negative: Type.Boolean({ default: false, description: 'Whether companies that meet it rank lower.' }),
}

/** What the matches of a thesis are ranked by. */
export const Criterion = Named('ThesisCriterion', criterionFields)
export type Criterion = Static<typeof Criterion>

const { text: criterionText, ...criterionOptions } = criterionFields
const NewCriterion = Strict(
  Named('NewThesisCriterion', {
    text: criterionText,
    ...Type.Partial(Type.Object(criterionOptions)).properties,
  }),
)

const CRITERIA_DESCRIPTION =
  'What its matches are ranked by. null: the criteria are taken from the title and the report; ' +
  '`GET /api/theses/:id/criteria` shows them.'
const newCriteria = Nullable(
  Type.Array(NewCriterion, { maxItems: MAX_CRITERIA, description: CRITERIA_DESCRIPTION }),
)

const fields = {
  code: Type.String({
    'x-normalize': 'name',
    minLength: 1,
    maxLength: MAX_CODE_LENGTH,
    pattern: '^\\S+$',
    description: 'A short unique name without spaces, such as AI-HEALTH.',
  }),
  title: Type.String({ minLength: 1, maxLength: MAX_THESIS_TITLE_LENGTH, pattern: '\\S' }),
  summary: Nullable(Type.String({ maxLength: MAX_SUMMARY_LENGTH })),
  status: Type.String({
    ...Word,
    description: `A lower_snake_case word. Known: ${THESIS_STATUSES.join(', ')}.`,
  }),
}
const report = {
  report_markdown: Nullable(Type.String({ maxLength: 500_000, description: 'The report in Markdown.' })),
}
const criteria = {
  criteria: Nullable(Type.Array(Criterion, { description: CRITERIA_DESCRIPTION })),
}
const times = { created_at: Timestamp, updated_at: Timestamp }

export const ThesisSummary = Named('ThesisSummary', { id: Type.String(), ...fields, ...times })
export type ThesisSummary = Static<typeof ThesisSummary>

export const Thesis = Named('Thesis', { id: Type.String(), ...fields, ...report, ...criteria, ...times })
export type Thesis = Static<typeof Thesis>

const summaryExample: ThesisSummary = {
  id: 'th_01jw3f8x5y1c3e5g7j9m1p3r5t',
  code: 'WAREHOUSE-ROBOTS',
  title: 'Robots for mid-sized warehouses',
  summary: 'Labor is scarce and systems for small sites have become affordable.',
  status: 'active',
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-01T08:00:00.000Z',
}
const example: Thesis = {
  ...summaryExample,
  report_markdown: '# Robots for mid-sized warehouses\n\nWhy now …',
  criteria: [{ text: 'Robots for mid-sized warehouses', weight: 3, kind: 'must', negative: false }],
}
const { id: _id, created_at: _created, updated_at: _updated, ...bodyExample } = example

export const ThesisQuery = Strict(
  Type.Object({
    ...pageQuery(1000),
    status: repeatedWordFilter(),
    code: filterValue({ 'x-normalize': 'name' }),
    filter: filterParameter,
    sort: sortParameter(),
  }),
)
export type ThesisQuery = Static<typeof ThesisQuery>

export const NewThesis = Strict(
  Type.Object(
    {
      code: fields.code,
      title: fields.title,
      summary: Type.Optional(fields.summary),
      report_markdown: Type.Optional(report.report_markdown),
      criteria: Type.Optional(newCriteria),
      status: Type.Optional(Type.String({ ...fields.status, default: 'active' })),
    },
    { title: 'NewThesis', examples: [bodyExample] },
  ),
)
export type NewThesis = Static<typeof NewThesis>

/** Fields that a PATCH ignores. */
export const THESIS_READ_ONLY = ['id', 'is_derived', 'created_at', 'updated_at'] as const

export const ThesisPatch = {
  ...Patch({ ...fields, ...report, criteria: newCriteria }, THESIS_READ_ONLY),
  title: 'ThesisPatch',
  examples: [{ status: 'archived' }],
}
export type ThesisPatch = Static<typeof ThesisPatch>

const path = Type.Object({ id: Type.String({ description: 'The id of a thesis: th_…' }) })
const tags = ['Theses']
const codeTaken = ErrorAnswer('Another thesis has this code.')

export const listTheses = endpoint('GET', '/api/theses', {
  operationId: 'listTheses',
  'x-action': 'read',
  tags,
  summary: 'List theses',
  description: 'Newest first by default, without the reports.',
  querystring: ThesisQuery,
  response: { 200: Page(ThesisSummary, summaryExample) },
})

export const getThesis = endpoint('GET', '/api/theses/:id', {
  operationId: 'getThesis',
  'x-action': 'read',
  tags,
  summary: 'Read a thesis with its report',
  description: 'The report is in Markdown.',
  params: path,
  response: { 200: Data(Thesis, example) },
})

export const createThesis = endpoint('POST', '/api/theses', {
  operationId: 'createThesis',
  'x-action': 'write',
  tags,
  summary: 'Create a thesis',
  description: 'The code must be unique.',
  body: NewThesis,
  response: { 201: Data(Thesis, example), 409: codeTaken },
})

export const updateThesis = endpoint('PATCH', '/api/theses/:id', {
  operationId: 'updateThesis',
  'x-action': 'write',
  tags,
  summary: 'Change a thesis',
  description: 'Fields that are not sent keep their values. null clears a field. The code must be unique.',
  headers: IfMatch,
  params: path,
  body: ThesisPatch,
  response: { 200: Data(Thesis, example), 409: codeTaken },
})

export const getThesisHistory = historyEndpoint(
  '/api/theses/:id/history',
  'getThesisHistory',
  'Theses',
  'thesis',
)

/** A thesis with more companies has to be taken off them first. */
export const MAX_THESIS_COMPANIES = 10_000

export const deleteThesis = endpoint('DELETE', '/api/theses/:id', {
  operationId: 'deleteThesis',
  'x-action': 'delete',
  tags: ['Theses'],
  summary: 'Delete a thesis',
  description: `${deleted('thesis')} Its companies remain without a thesis, and get it back when it is restored.`,
  params: idPath('The id of a thesis: th_…'),
  response: {
    ...gone,
    409: ErrorAnswer(`More than ${MAX_THESIS_COMPANIES.toLocaleString('en')} companies have this thesis.`),
  },
})
