import { type Static, Type } from 'typebox'
import { Activity, activityExample } from '#src/features/activity/schema.ts'
import { idPath, MovedAnswer } from '#src/features/trash/schema.ts'
import {
  Data,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

const MAX_FURTHER_NAMES = 20

const id = 'per_01jw3f8x67q4e6g8j0m2p4r6t8'
const name = 'Ingrid Solberg'
const path = idPath('The id of a person: per_…. They may be in the trash.')
const tags = ['Privacy']

const anything = Type.Optional(Type.Unknown())
/** The rows of the ledger, which have no names. */
const withoutNames = { entity_name: anything, company_name: anything, about: anything }

const Row = Type.Record(Type.String(), Type.Unknown())

export const PersonalData = Named('PersonalData', {
  exported_at: Timestamp,
  people: Type.Array(Row, {
    description: 'The person, and people who were merged into them, with `in_trash`.',
  }),
  companies: Type.Array(Row, { description: 'The links to companies, also to those in the trash.' }),
  history: Type.Array(Type.Object({ ...Activity.properties, ...withoutNames }), {
    description: 'The activity records of the person, with whole values, oldest first.',
  }),
  notes: Type.Array(
    Type.Intersect([
      Row,
      Type.Object({
        id: Type.String(),
        visibility: Type.String(),
        in_trash: Type.Boolean(),
        relations: Type.Array(OneOf(['about', 'participants']), {
          description: 'How the note names the person now; empty for replies, and for links from before.',
        }),
        history: Type.Array(Row, { description: 'The activity records of the note, oldest first.' }),
      }),
    ]),
    {
      description:
        'The notes that name the person by a link now or did before, with their replies. Private ones of all users are among them.',
    },
  ),
  decisions: Type.Array(
    Type.Intersect([
      Row,
      Type.Object({
        id: Type.String(),
        in_trash: Type.Boolean(),
        history: Type.Array(Row, {
          description: 'The activity records of the decision, oldest first.',
        }),
      }),
    ]),
    {
      description:
        'The decisions about companies that the person is or was linked to, and those with an email address or link of theirs.',
    },
  ),
  tasks: Type.Array(
    Type.Intersect([
      Row,
      Type.Object({
        id: Type.String(),
        in_trash: Type.Boolean(),
        history: Type.Array(Row, { description: 'The activity records of the task, oldest first.' }),
      }),
    ]),
    {
      description:
        'The tasks that are or were about the person, those about companies that the person is or was linked to, or about deals of these, and those with an email address or link of theirs.',
    },
  ),
  files: Type.Array(
    Type.Intersect([
      Row,
      Type.Object({
        id: Type.String(),
        in_trash: Type.Boolean(),
        versions: Nullable(Type.Array(Row, { description: 'Its versions, oldest first.' })),
        history: Type.Array(Row, { description: 'The activity records of the file, oldest first.' }),
      }),
    ]),
    {
      description:
        'The files that are or were about the person, those about companies that the person is or was linked to, or about deals of these, and those whose names have an email address or link of theirs. `GET /api/files/:id/content` downloads them. Private ones of all users are among them.',
    },
  ),
  executives: Type.Array(
    Named('NamedExecutive', {
      company_id: Type.String(),
      company_name: Type.String(),
      in_trash: Type.Boolean(),
      is_linked: Type.Boolean({ description: 'Whether the person is linked to the company.' }),
      entry: Type.Unknown(),
    }),
    {
      description:
        'The entries of companies’ `executives` with the name of the person, who may be someone else with the same name.',
    },
  ),
})

export const getPersonalData = endpoint('GET', '/api/people/:id/personal-data', {
  operationId: 'getPersonalData',
  'x-action': 'personal_data',
  tags,
  summary: 'Export everything stored about a contact',
  description: 'Also private notes. The export is recorded in the audit log.',
  params: path,
  response: {
    200: Data(PersonalData, {
      exported_at: '2026-03-02T09:30:00.000Z',
      people: [{ id, name, emails: ['ingrid@nordlys-robotics.example'], in_trash: false }],
      companies: [],
      history: [
        { ...activityExample, entity_type: 'person', entity_id: id, activity_type: 'person_created' },
      ],
      notes: [],
      decisions: [],
      tasks: [],
      files: [],
      executives: [],
    }),
    301: MovedAnswer,
  },
})

export const EraseContact = Strict(
  Type.Object(
    {
      confirm: Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'The name of the person. Case and accents are ignored.',
      }),
      executives: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Whether to remove the entries with their name from the `executives` of all companies. `GET /api/people/:id/personal-data` lists them.',
        }),
      ),
      also: Type.Optional(
        Type.Array(Type.String({ minLength: 2, maxLength: 300, pattern: '\\S' }), {
          maxItems: MAX_FURTHER_NAMES,
          description:
            'Further names to replace in the linked notes and in reports of imports, such as a nickname or the last name.',
        }),
      ),
    },
    { title: 'EraseContact', examples: [{ confirm: name }] },
  ),
)
export type EraseContact = Static<typeof EraseContact>

export const ContactErasure = Named('ContactErasure', {
  action_id: Nullable(Type.String({ description: 'null if the person had been erased before.' })),
  changed: Type.Record(Type.String(), Type.Integer(), {
    description: 'The number of rows that were changed or removed, by table.',
  }),
  notes: Type.Array(Type.String(), {
    description:
      'The ids of the notes that were searched: those that named the person by a link, and their replies.',
  }),
  decisions: Type.Array(Type.String(), {
    description:
      'The ids of the decisions that were searched: those about companies that the person is or was linked to, and those with an email address or link of theirs.',
  }),
  files: Type.Array(Type.String(), {
    description:
      'The ids of the files whose names were searched: those about the person, their companies, or deals of these. What they contain stays. Files about the person alone are deleted, and not listed.',
  }),
  tasks: Type.Array(Type.String(), {
    description:
      'The ids of the tasks that were searched: those about the person, their companies, or deals of these, and those with an email address or link of theirs.',
  }),
})
export type ContactErasure = Static<typeof ContactErasure>

export const eraseContact = endpoint('POST', '/api/people/:id/erase', {
  operationId: 'eraseContact',
  'x-action': 'personal_data',
  tags,
  summary: 'Erase a contact',
  description:
    'Removes the person for good, also from the trash, with the values in their history. Notes that name them by a link ' +
    'lose the link, and their names, email addresses, phone numbers and web addresses in these notes, in decisions and tasks about ' +
    'their companies or with their addresses, and in reports of imports that wrote the person or the notes, become `[erased contact]`, and so do they in the names of files. Files about the person alone are deleted. Cannot be undone. The erasure is recorded in the audit log.',
  params: path,
  body: EraseContact,
  response: {
    200: Data(ContactErasure, {
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
      changed: { activity: 4, company_people: 1, links: 2, notes: 2, people: 1 },
      notes: ['note_01jw3f8x6b2d4f6h8k0m2p4r6t'],
      decisions: ['dec_01jw3f8x6d2f4h6k8m0p2r4t6v'],
      tasks: ['tsk_01jw3f8x6e3g5j7m9p1r3t5w7y'],
      files: ['file_01jw3f8x6h5k7n9q1s3v5x7z9b'],
    }),
  },
})

export const DueContact = Named('DueContact', {
  id: Type.String(),
  name: Type.String(),
  owner_email: Nullable(Type.String()),
  last_change_at: Timestamp,
  last_note_at: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'When the latest note that names them was written, changed, or happened; null: there is none.',
    }),
  ),
  due_since: Timestamp,
})

export const listDueContacts = endpoint('GET', '/api/people/retention', {
  operationId: 'listDueContacts',
  'x-action': 'personal_data',
  tags,
  summary: 'List contacts whose retention period is over',
  description:
    'People who have not been changed for CONTACT_RETENTION_MONTHS, and whom no note has named in that time, longest due ' +
    'first. Empty without the setting. Nothing is deleted automatically: `POST /api/people/:id/erase` erases a contact.',
  querystring: Strict(Type.Object(pageQuery())),
  response: {
    200: Page(DueContact, {
      id,
      name,
      owner_email: 'ada@example.com',
      last_change_at: '2023-03-02T09:30:00.000Z',
      last_note_at: null,
      due_since: '2026-03-02T09:30:00.000Z',
    }),
  },
})
