import { Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import { ABOUT_TYPES } from '#src/features/links/schema.ts'
import { deleted, gone, idPath } from '#src/features/trash/schema.ts'
import { Data, endpoint, IfMatch, Page, Strict } from '#src/platform/schema/shapes.ts'
import { ListedNote, NewNote, Note, NotePatch, NoteQuery, noteExample } from './schema.ts'

const path = idPath('The id of a note: note_…')
const tags = ['Notes']

export const listNotes = endpoint('GET', '/api/notes', {
  operationId: 'listNotes',
  'x-action': 'read',
  tags,
  summary: 'List and search notes',
  description:
    'Last `happened_at` first by default; with `about`, pinned ones before others. Replies are listed only with `search`, `parent_id`, or `mentions`. The total is exact.',
  querystring: NoteQuery,
  response: { 200: Page(ListedNote, noteExample) },
})

export const getNote = endpoint('GET', '/api/notes/:id', {
  operationId: 'getNote',
  'x-action': 'read',
  tags,
  summary: 'Read a note',
  description: 'A private note is a 404 for all but its author and those mentioned.',
  params: path,
  querystring: Strict(
    Type.Object({
      as_of: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Show the note as it was at this time, with the present names of records. 404 before it existed.',
        }),
      ),
    }),
  ),
  response: { 200: Data(Note, noteExample) },
})

export const createNote = endpoint('POST', '/api/notes', {
  operationId: 'createNote',
  'x-action': 'write',
  tags,
  summary: 'Write a note',
  description: `Only \`body\` is required, and \`about\` or \`parent_id\`. \`kind\` is \`note\` by default. Types of \`about\`: ${ABOUT_TYPES.join(', ')}.`,
  body: NewNote,
  response: { 201: Data(Note, noteExample) },
})

export const updateNote = endpoint('PATCH', '/api/notes/:id', {
  operationId: 'updateNote',
  'x-action': 'write_own',
  tags,
  summary: 'Change a note',
  description: 'Fields that are not sent keep their values. Notes of others need the permission to delete.',
  headers: IfMatch,
  params: path,
  body: NotePatch,
  response: { 200: Data(Note, noteExample) },
})

export const getNoteHistory = historyEndpoint('/api/notes/:id/history', 'getNoteHistory', 'Notes', 'note')

export const deleteNote = endpoint('DELETE', '/api/notes/:id', {
  operationId: 'deleteNote',
  'x-action': 'write_own',
  tags,
  summary: 'Delete a note',
  description: `${deleted('note')} Its replies go and come back with it. Notes of others need the permission to delete.`,
  params: path,
  response: gone,
})
