import { type Static, Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import {
  Data,
  ErrorAnswer,
  endpoint,
  filterValue,
  IfMatch,
  Named,
  Nullable,
  Page,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
  Word,
  wordFilter,
} from '#src/platform/schema/shapes.ts'

/** The known statuses. Theses may have others. */
export const THESIS_STATUSES = ['active', 'draft', 'archived'] as const
export const MAX_CODE_LENGTH = 64
export const MAX_THESIS_TITLE_LENGTH = 500
export const MAX_SUMMARY_LENGTH = 20_000

const fields = {
  code: Type.String({
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
const times = { created_at: Timestamp, updated_at: Timestamp }

export const ThesisSummary = Named('ThesisSummary', { id: Type.String(), ...fields, ...times })
export type ThesisSummary = Static<typeof ThesisSummary>

export const Thesis = Named('Thesis', { id: Type.String(), ...fields, ...report, ...times })
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
}
const { id: _id, created_at: _created, updated_at: _updated, ...bodyExample } = example

export const ThesisQuery = Strict(
  Type.Object({
    ...pageQuery(1000),
    status: wordFilter(),
    code: filterValue(),
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
      status: Type.Optional(Type.String({ ...fields.status, default: 'active' })),
    },
    { title: 'NewThesis', examples: [bodyExample] },
  ),
)
export type NewThesis = Static<typeof NewThesis>

/** Fields that a PATCH may send back unchanged. */
export const THESIS_READ_ONLY = ['id', 'created_at', 'updated_at'] as const

export const ThesisPatch = {
  ...Patch({ ...fields, ...report }, THESIS_READ_ONLY),
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
  description: 'Newest first, without the reports.',
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
