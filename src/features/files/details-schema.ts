import { Type } from 'typebox'
import { Named, Nullable, OneOf, Timestamp } from '#src/platform/schema/shapes.ts'

const Attachment = Named('FileAttachment', {
  name: Type.String(),
  type: Type.String({ description: 'Its media type.' }),
  size: Type.Integer({ description: 'In bytes.' }),
})

/** What is inside a file besides text. */
export const FileDetails = Type.Union([
  Named('EmailDetails', {
    kind: OneOf(['email']),
    subject: Nullable(Type.String()),
    from: Nullable(Type.String()),
    to: Type.Array(Type.String()),
    date: Nullable(Timestamp),
    attachments: Type.Array(Attachment),
  }),
  Named('ArchiveDetails', {
    kind: OneOf(['archive']),
    entries: Type.Array(
      Named('ArchiveEntry', { name: Type.String(), size: Type.Integer({ description: 'In bytes.' }) }),
    ),
    total: Type.Integer({
      description:
        'The number of files in it, of which `entries` has the first ones. At least, if it has more than 65,536 entries, folders included.',
    }),
  }),
  Type.Null(),
])
