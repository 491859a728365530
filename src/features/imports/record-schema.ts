import { type Static, Type } from 'typebox'
import { Data, ErrorBody, endpoint, Named, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'
import { commonReport, ImportedFile, listedRecords, omitted } from './report-schema.ts'
import { importCompanies } from './schema.ts'
import { ImportQuery, MAX_STAGES_LENGTH } from './settings-schema.ts'

/** What happens to a row about a record that exists. */
export const ON_EXISTING = ['update', 'fill', 'skip'] as const
export type OnExisting = (typeof ON_EXISTING)[number]

export const UNKNOWN_REASONS = ['unknown', 'ambiguous', 'in_trash'] as const

const { on_conflict: _conflict, identify_by: _identify, on_trashed, ...settings } = ImportQuery.properties

const create_companies = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Create the companies that rows name and that do not exist. Otherwise the report lists them.',
  }),
)

export const PeopleImportQuery = Strict(
  Type.Object({
    ...settings,
    on_trashed: {
      ...on_trashed,
      description:
        'What happens to a row that matches a person in the trash: skip the row, or restore the person.',
    },
    create_companies,
    on_existing: Type.Optional(
      OneOf(ON_EXISTING, {
        default: 'update',
        description:
          'What happens to a row about a person who exists: its cells that are not blank replace values, and are added to ' +
          'lists (update), fill only blank fields (fill), or the row is left out (skip).',
      }),
    ),
  }),
)
export type PeopleImportQuery = Static<typeof PeopleImportQuery>

export const DealsImportQuery = Strict(
  Type.Object({
    ...PeopleImportQuery.properties,
    on_trashed: {
      ...on_trashed,
      description:
        'What happens to a row that matches a deal in the trash: skip the row, or restore the deal.',
    },
    create_companies: {
      ...create_companies,
      description:
        'Create the companies that rows name and that do not exist. Otherwise the report lists them, and their rows fail.',
    },
    on_existing: {
      ...PeopleImportQuery.properties.on_existing,
      description:
        'What happens to a row about a deal that exists: its cells that are not blank replace values (update), fill only ' +
        'blank fields (fill), or the row is left out (skip).',
    },
    stages: Type.Optional(
      Type.String({
        maxLength: MAX_STAGES_LENGTH,
        description:
          'JSON that says which stages the stages in the file are: {"Intro call": "meeting", "Passed": "closed_lost"}. Others ' +
          'are those with the same key or label, or else are imported as their word.',
      }),
    ),
  }),
)
export type DealsImportQuery = Static<typeof DealsImportQuery>

export const NotesImportQuery = Strict(Type.Object({ ...settings, create_companies }))
export type NotesImportQuery = Static<typeof NotesImportQuery>

const named = {
  name: Type.String(),
  website: Nullable(Type.String()),
  row: Type.Integer({ description: 'The first row that names it.' }),
  rows: Type.Integer({ description: 'The number of rows that name it.' }),
}

/** The companies that the rows of a file name. */
export const NamedCompanies = Named('NamedCompanies', {
  created: Type.Integer({ description: 'The number of companies that are created.' }),
  linked: Type.Integer({ description: 'The number of existing companies that rows are linked to.' }),
  new: Type.Array(Type.Object(named), { description: 'The first 1,000 companies that are created.' }),
  new_omitted: omitted('companies'),
  unknown: Type.Array(
    Type.Object({
      ...named,
      reason: OneOf(UNKNOWN_REASONS, {
        description:
          'unknown: no company has the name or the website. ambiguous: several have, or the website is another one. ' +
          'in_trash: the company is in the trash.',
      }),
    }),
    { description: 'The first 1,000 companies that rows name, and that they are not linked to.' },
  ),
  unknown_omitted: omitted('companies'),
})
export type NamedCompanies = Static<typeof NamedCompanies>

export const MAX_STAGE_WORDS = 500

/** A stage in a file of deals. */
export const StageWord = Named('StageWord', {
  value: Type.String({ description: 'As it is in the file.' }),
  rows: Type.Integer({ description: 'The number of rows that have it; 0: a choice that no row needs.' }),
  stage: Nullable(
    Type.String({ description: 'The stage that the rows are imported with; null: the cell cannot be one.' }),
  ),
  suggestion: Nullable(Type.String({ description: 'The configured stage that it may mean.' })),
})
export type StageWord = Static<typeof StageWord>

export const RecordImportReport = Named('RecordImportReport', {
  type: OneOf(['person', 'note', 'deal']),
  ...commonReport,
  ...listedRecords('record_id', 'record'),
  companies: NamedCompanies,
  stages: Type.Optional(
    Type.Array(StageWord, {
      description:
        'Of an import of deals: the stages in the file that are not configured, and those that were chosen with `stages`, the ' +
        `most frequent first, up to ${MAX_STAGE_WORDS}. Without a choice, they are imported as their words.`,
    }),
  ),
  stages_omitted: Type.Optional(omitted('stages')),
})
export type RecordImportReport = Static<typeof RecordImportReport>

const UnreadableFile = Type.Object(
  { ...ErrorBody.properties, file: Type.Optional(ImportedFile) },
  {
    description:
      'The file or a setting is invalid. If only a required column is missing, `file` has the columns to choose from.',
  },
)

const { consumes } = importCompanies.schema

const example = (type: RecordImportReport['type'], name: string): RecordImportReport => ({
  type,
  action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
  ...{ created: 1, updated: 0, unchanged: 0, trashed: 0, restored: 0, failed: 0, left_out: 0 },
  ...{ errors: [], errors_omitted: 0, warnings: [], bad_cells: [], bad_cells_omitted: 0 },
  new_rows: [{ row: 2, name }],
  ...{ new_rows_omitted: 0, changes: [], changes_omitted: 0, unchanged_rows: [], unchanged_rows_omitted: 0 },
  ...{ left_out_rows: [], left_out_rows_omitted: 0, trashed_rows: [], trashed_rows_omitted: 0, preview: [] },
  companies: {
    ...{ created: 1, linked: 0 },
    new: [{ name: 'Nordlys Robotics', website: null, row: 2, rows: 1 }],
    ...{ new_omitted: 0, unknown: [], unknown_omitted: 0 },
  },
  file: {
    ...{
      kind: 'text',
      encoding: 'utf-8',
      is_encoding_certain: true,
      delimiter: ',',
      sheet: null,
      sheets: [],
    },
    header_row: 1,
    columns: [{ name: 'Company', field: 'company', samples: ['Nordlys Robotics'] }],
    first_rows: [{ row: 1, cells: ['Company'] }],
    warnings: [],
    holds: { type, source: 'HubSpot', reason: 'The columns Record ID and Company show it.' },
  },
  ...{ formats: [], stopped_at_row: null, columns: { company: ['Company'] }, ignored_columns: [] },
  ...{ new_fields: [], dry_run: false },
})

const common = 'The file, its limits, and how it is received are those of `POST /api/companies/import`. '

export const importPeople = endpoint('POST', '/api/people/import', {
  operationId: 'importPeople',
  'x-action': 'import',
  tags: ['People'],
  summary: 'Import people from a file',
  description:
    `${common}Exports of HubSpot, Affinity, Attio, LinkedIn, Google Contacts, and this service are recognized, and lists with ` +
    'columns such as Name, Email, Company, and Title. A row is the person with one of its email addresses or with its LinkedIn ' +
    'profile, or else the one of the same name in one of its companies. Companies are found by website, or else by name.',
  'x-rate-class': 'import',
  'x-idempotency': 'resumable',
  consumes,
  querystring: PeopleImportQuery,
  response: { 200: Data(RecordImportReport, example('person', 'Ingrid Solberg')), 400: UnreadableFile },
})

export const importNotes = endpoint('POST', '/api/notes/import', {
  operationId: 'importNotes',
  'x-action': 'import',
  tags: ['Notes'],
  summary: 'Import notes from a file',
  description:
    `${common}A row becomes a note about the companies, people, and deals that it names. Rows about nothing that exists fail, ` +
    'unless their companies are created. HTML becomes Markdown. A row that has been imported before, with the same id in the other ' +
    'tool, or with the same text, time, and records, creates no second note.',
  'x-rate-class': 'import',
  'x-idempotency': 'resumable',
  consumes,
  querystring: NotesImportQuery,
  response: { 200: Data(RecordImportReport, example('note', 'Call about pricing')), 400: UnreadableFile },
})

export const importDeals = endpoint('POST', '/api/dealflow/import', {
  operationId: 'importDeals',
  'x-action': 'import',
  tags: ['Dealflow'],
  summary: 'Import deals from a file',
  description:
    `${common}Exports of HubSpot, Affinity, Attio, and this service are recognized, and lists with columns such as ` +
    'Company, Stage, Amount, and Owner. A row is the deal with its id in the other tool, or else the open deal of its company with ' +
    'the same round. Companies are found by website, or else by name. `stages` in the report has the stages that are not configured.',
  'x-rate-class': 'import',
  'x-idempotency': 'resumable',
  consumes,
  querystring: DealsImportQuery,
  response: {
    200: Data(RecordImportReport, {
      ...example('deal', 'Nordlys Robotics'),
      stages: [{ value: 'Intro call', rows: 12, stage: 'intro_call', suggestion: 'meeting' }],
      stages_omitted: 0,
    }),
    400: UnreadableFile,
  },
})
