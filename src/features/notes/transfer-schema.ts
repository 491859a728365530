import { type Static, Type } from 'typebox'
import { UserEmail } from '#src/platform/schema/email-address.ts'
import { Data, ErrorAnswer, endpoint, Named, Nullable, Strict } from '#src/platform/schema/shapes.ts'

const TransferNotes = Strict(
  Type.Object(
    {
      from: { ...UserEmail, description: 'The author: a user who is disabled.' },
      to: { ...UserEmail, description: 'The new author: a user who is not disabled.' },
    },
    { title: 'TransferNotes', examples: [{ from: 'ben@example.com', to: 'ada@example.com' }] },
  ),
)
export type TransferNotes = Static<typeof TransferNotes>

const NoteTransfer = Named('NoteTransfer', {
  action_id: Nullable(
    Type.String({ description: 'The action that can be undone; null: there were no notes.' }),
  ),
  notes: Type.Integer({ description: 'The number of notes and replies that have a new author.' }),
})
export type NoteTransfer = Static<typeof NoteTransfer>

export const transferNotes = endpoint('POST', '/api/notes/transfer', {
  operationId: 'transferNotes',
  'x-action': 'manage_users',
  tags: ['Notes'],
  summary: 'Transfer the private notes of a disabled user',
  description:
    'Another user becomes the author of the private notes of someone who left, and of the replies to them by the same author. The transfer is audited. Notes in the trash are not transferred.',
  body: TransferNotes,
  response: {
    200: Data(NoteTransfer, { action_id: 'ax_01jw3f8x6d4f6h8k0m2p4r6t8v', notes: 12 }),
    409: ErrorAnswer('The author is not disabled, or the new author is.'),
  },
})
