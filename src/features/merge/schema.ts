import { type Static, Type } from 'typebox'
import { Company, CompanyPath, companyExample } from '#src/features/companies/schema.ts'
import { Person, personExample } from '#src/features/people/schema.ts'
import { idPath } from '#src/features/trash/schema.ts'
import { Data, ErrorAnswer, endpoint, Named, Nullable, Strict } from '#src/platform/schema/shapes.ts'

/** More companies or people are merged in several requests. */
export const MAX_MERGED = 50

/** Longer values in `conflicts` are shortened, in bytes of JSON. */
export const MAX_CONFLICT_BYTES = 2048

const RecordId = Type.String({ minLength: 1, maxLength: 100 })

const MergeConflict = Named('MergeConflict', {
  field: Type.String({ description: 'The name of the field; `custom.<key>` for a custom field.' }),
  values: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'The value of each record, by its id. The survivor comes first, then the others as in `from`.',
  }),
  chosen: Type.String({ description: 'The id of the record whose value remains.' }),
  truncated: Type.Boolean({ description: 'Whether a value over 2 KB is shortened.' }),
  left_out: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of lists that are united: what does not fit. The merged records keep it.',
    }),
  ),
})
export type MergeConflict = Static<typeof MergeConflict>

const Moved = Type.Object({
  deals: Type.Integer(),
  decisions: Type.Integer(),
  activity: Type.Integer({ description: 'Activity records, which the detail of the survivor shows now.' }),
  files: Nullable(
    Type.Integer({
      description: 'Profiles and source files. null: the object storage cannot be read.',
    }),
  ),
  bulk_actions: Type.Integer({ description: 'Entries in bulk actions.' }),
  people: Type.Integer({ description: 'People who were linked to one of the companies.' }),
  notes: Type.Integer({
    description: 'Notes about one of the companies. Private notes of others move too, but do not count.',
  }),
  tasks: Type.Integer({ description: 'Tasks about one of the companies.' }),
  attached_files: Type.Integer({
    description:
      'Uploaded files about one of the companies. Private files of others move too, but do not count.',
  }),
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

/** The body of a merge of companies or people. */
const mergeBody = (
  title: string,
  { one, several, first, example }: { one: string; several: string; first: string; example: string },
) =>
  Strict(
    Type.Object(
      {
        from: Type.Array(RecordId, {
          minItems: 1,
          maxItems: MAX_MERGED,
          description: `The ids of the ${several} that become part of this one. Duplicates count once.`,
        }),
        choose: Type.Optional(
          Type.Record(Type.String({ maxLength: 200 }), RecordId, {
            description:
              `The ${one} whose value a field takes: \`{"name": "${first}"}\`. \`custom.<key>\` is a custom field. Other fields ` +
              `keep the value of this ${one}, or take the first one of \`from\` if it is empty. Lists of words are united.`,
          }),
        ),
        dry_run: Type.Optional(
          Type.Boolean({ default: false, description: 'Show the result without changing anything.' }),
        ),
      },
      { title, examples: [{ from: [example], choose: { name: example }, dry_run: true }] },
    ),
  )

const MergeBody = mergeBody('Merge', {
  one: 'company',
  several: 'companies',
  first: 'cmp_…',
  example: 'cmp_01jw3f8x66p3d5f7h9j1k3n5q7',
})
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
      moved: {
        deals: 1,
        decisions: 1,
        activity: 12,
        files: 2,
        bulk_actions: 3,
        people: 4,
        notes: 2,
        tasks: 1,
        attached_files: 1,
      },
    }),
    409: ErrorAnswer('This company was merged into another, which `details` names.'),
  },
})

const MovedOfPeople = Type.Object({
  companies: Type.Integer({ description: 'Links to companies that the survivor did not have.' }),
  notes: Type.Integer({
    description:
      'Notes about one of the people, or with them as participants. Private notes of others move too, but do not count.',
  }),
  tasks: Type.Integer({ description: 'Tasks about one of the people.' }),
  attached_files: Type.Integer({
    description: 'Files about one of the people. Private files of others move too, but do not count.',
  }),
  activity: Type.Integer({ description: 'Activity records of the people who become part of this one.' }),
})
export type MovedOfPeople = Static<typeof MovedOfPeople>

const MergedPeople = Named('MergedPeople', {
  action_id: Nullable(
    Type.String({ description: '`POST /api/actions/:id/undo` splits the people again; null for a dry run.' }),
  ),
  person: Person,
  conflicts: Type.Array(MergeConflict, {
    description:
      'The fields with several values, and lists that would be too long. `companies.<id>` is the link to a company.',
  }),
  moved: MovedOfPeople,
})
export type MergedPeople = Static<typeof MergedPeople>

export const mergePeople = endpoint('POST', '/api/people/:id/merge', {
  operationId: 'mergePeople',
  'x-action': 'delete',
  tags: ['People'],
  summary: 'Merge people',
  description:
    'The people in `from` become part of this one, with their email addresses, phone numbers, links, tags, and companies. ' +
    'Their addresses redirect here (301). Undoing the action splits them again.',
  params: idPath('The id of a person: per_…'),
  body: mergeBody('MergePeople', {
    one: 'person',
    several: 'people',
    first: 'per_…',
    example: 'per_01jw3f8x68r5f7h9k1n3q5s7v9',
  }),
  response: {
    200: Data(MergedPeople, {
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
      person: personExample,
      conflicts: [
        {
          field: 'location',
          values: { [personExample.id]: personExample.location, per_01jw3f8x68r5f7h9k1n3q5s7v9: 'Oslo' },
          chosen: personExample.id,
          truncated: false,
        },
      ],
      moved: { companies: 1, notes: 2, tasks: 1, attached_files: 1, activity: 4 },
    }),
    409: ErrorAnswer('This person was merged into another, which `details` names.'),
  },
})
