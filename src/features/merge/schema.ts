import { type Static, Type } from 'typebox'
import { Company, CompanyPath, companyExample } from '#src/features/companies/schema.ts'
import { Data, ErrorAnswer, endpoint, Named, Nullable, Strict } from '#src/platform/schema/shapes.ts'

/** More companies are merged in several requests. */
export const MAX_MERGED_COMPANIES = 50

/** Longer values in `conflicts` are shortened, in bytes of JSON. */
export const MAX_CONFLICT_BYTES = 2048

const CompanyId = Type.String({ minLength: 1, maxLength: 100 })

const MergeConflict = Named('MergeConflict', {
  field: Type.String({ description: 'The name of the field; `custom.<key>` for a custom field.' }),
  values: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'The value of each company, by its id. The survivor comes first, then the others as in `from`.',
  }),
  chosen: Type.String({ description: 'The id of the company whose value remains.' }),
  truncated: Type.Boolean({ description: 'Whether a value over 2 KB is shortened.' }),
})
export type MergeConflict = Static<typeof MergeConflict>

const Moved = Type.Object({
  deals: Type.Integer(),
  activity: Type.Integer({ description: 'Activity records, which the detail of the survivor shows now.' }),
  files: Nullable(Type.Integer({ description: 'null: the object storage cannot be read.' })),
  bulk_actions: Type.Integer({ description: 'Entries in bulk actions.' }),
  people: Type.Integer({ description: 'People who were linked to one of the companies.' }),
  notes: Type.Integer({ description: 'Notes about one of the companies, also private ones.' }),
})
export type Moved = Static<typeof Moved>

const Merged = Named('Merged', {
  action_id: Nullable(
    Type.String({
      description: '`POST /api/actions/:id/undo` splits the companies again; null for a dry run.',
    }),
  ),
  company: Company,
  conflicts: Type.Array(MergeConflict, { description: 'The fields with several values.' }),
  moved: Moved,
})
export type Merged = Static<typeof Merged>

export const MergeBody = Strict(
  Type.Object(
    {
      from: Type.Array(CompanyId, {
        minItems: 1,
        maxItems: MAX_MERGED_COMPANIES,
        description: 'The ids of the companies that become part of this one. Duplicates count once.',
      }),
      choose: Type.Optional(
        Type.Record(Type.String({ maxLength: 200 }), CompanyId, {
          description:
            'The company whose value a field takes: `{"name": "cmp_…"}`. `custom.<key>` is a custom field. Other fields keep ' +
            'the value of this company, or take the first one of `from` if it is empty. Lists of words are united.',
        }),
      ),
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'Show the result without changing anything.' }),
      ),
    },
    {
      title: 'Merge',
      examples: [
        {
          from: ['cmp_01jw3f8x66p3d5f7h9j1k3n5q7'],
          choose: { website: 'cmp_01jw3f8x66p3d5f7h9j1k3n5q7' },
          dry_run: true,
        },
      ],
    },
  ),
)
export type MergeBody = Static<typeof MergeBody>

export const mergeCompanies = endpoint('POST', '/api/companies/:id/merge', {
  operationId: 'mergeCompanies',
  'x-action': 'delete',
  tags: ['Companies'],
  summary: 'Merge companies',
  description:
    'The companies in `from` become part of this one, with their deals, people, notes, activity, files, and entries in bulk actions. Their ' +
    'addresses redirect here (301), and imports that match them change this company. Undoing the action splits them again.',
  params: CompanyPath,
  body: MergeBody,
  response: {
    200: Data(Merged, {
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
      company: companyExample,
      conflicts: [
        {
          field: 'website',
          values: {
            [companyExample.id]: companyExample.website,
            cmp_01jw3f8x66p3d5f7h9j1k3n5q7: 'https://nordlys.example',
          },
          chosen: companyExample.id,
          truncated: false,
        },
      ],
      moved: { deals: 1, activity: 12, files: 2, bulk_actions: 3, people: 4, notes: 2 },
    }),
    409: ErrorAnswer('This company was merged into another, which `details` names.'),
  },
})
