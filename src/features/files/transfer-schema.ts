import { type Static, Type } from 'typebox'
import { UserEmail } from '#src/platform/schema/email-address.ts'
import { Data, ErrorAnswer, endpoint, Named, Nullable, Strict } from '#src/platform/schema/shapes.ts'

const TransferFiles = Strict(
  Type.Object(
    {
      from: { ...UserEmail, description: 'The uploader: a user who is disabled.' },
      to: { ...UserEmail, description: 'Who gets the files: a user who is not disabled.' },
    },
    { title: 'TransferFiles', examples: [{ from: 'ben@example.com', to: 'ada@example.com' }] },
  ),
)
export type TransferFiles = Static<typeof TransferFiles>

const FileTransfer = Named('FileTransfer', {
  action_id: Nullable(
    Type.String({ description: 'The action that can be undone; null: there were no files.' }),
  ),
  files: Type.Integer({ description: 'The number of files that belong to the other user now.' }),
})
export type FileTransfer = Static<typeof FileTransfer>

export const transferFiles = endpoint('POST', '/api/files/transfer', {
  operationId: 'transferFiles',
  'x-action': 'manage_users',
  tags: ['Files'],
  summary: 'Transfer the private files of a disabled user',
  description:
    'The private files of someone who left, with all their versions, belong to another user from then on, as if that user had uploaded them. The transfer is audited. Files in the trash are not transferred.',
  body: TransferFiles,
  response: {
    200: Data(FileTransfer, { action_id: 'ax_01jw3f8x6d4f6h8k0m2p4r6t8v', files: 12 }),
    409: ErrorAnswer('The uploader is not disabled, or the other user is.'),
  },
})
