import { sql } from 'kysely'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict, NotFound, Unavailable } from '#src/platform/errors.ts'
import { requireScanned } from './content.ts'
import { extractAttachment } from './extraction/extract.ts'
import { requireFile } from './find.ts'
import { attachmentName } from './name.ts'
import type { FileRecord } from './schema.ts'
import { type StoredContentParts, withStoredFile } from './stored-content.ts'

interface Attachment {
  name: string
  content: Buffer
}

/**
 * Reads an attachment of an email, in the version that is shown.
 * @param index its place in `details.attachments`, from 0
 * @throws NotFound if the file is gone or hidden, or has no such attachment, Conflict before it is scanned or read, or if it
 *   is infected, or if the attachment cannot be read, Unavailable if the object storage is down
 */
export async function readAttachment(
  { db, ...parts }: StoredContentParts & { db: Db },
  viewer: Viewer,
  { id, index }: { id: string; index: number },
  signal: AbortSignal,
): Promise<Attachment> {
  const file: FileRecord = JSON.parse(await requireFile(db, viewer, id))
  requireScanned(file)
  if (file.text_state === 'pending')
    throw new Conflict('The email has not been read yet. Try again in a moment.')
  const attachments = file.details?.kind === 'email' ? file.details.attachments : []
  const attachment = attachments[index]
  if (!attachment)
    throw new NotFound(`The file ${id} has no attachment ${index}. ${countOf(attachments.length)}`)
  const content = await contentOf({ ...parts, db }, file, index, signal)
  if (!content)
    throw new Conflict(`The attachment ${index} cannot be read. Download the email to open it there.`)
  return { name: attachmentName(attachment.name), content }
}

const countOf = (attachments: number): string =>
  attachments === 0
    ? 'It has none.'
    : attachments === 1
      ? 'It has one: attachment 0.'
      : `It has attachments 0 to ${attachments - 1}.`

async function contentOf(
  { db, ...parts }: StoredContentParts & { db: Db },
  { id, version, type }: FileRecord,
  index: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const { rows } = await sql<{ object_key: string }>`
    select object_key from file_versions where file_id = ${id} and version = ${version}`.execute(db)
  try {
    return await withStoredFile(parts, rows[0]?.object_key ?? '', (path) =>
      extractAttachment({ path, type }, index, signal),
    )
  } catch (cause) {
    if (cause instanceof Unavailable || signal.aborted) throw cause
    throw new Unavailable('The object storage cannot be read.', { cause })
  }
}
