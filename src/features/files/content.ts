import type { Readable } from 'node:stream'
import { type FileAnswer, fileResponse } from '#src/features/assets/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict, InvalidInput, NotFound, Unavailable } from '#src/platform/errors.ts'
import type { ErrorAnswer } from '#src/platform/http/error-body.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { canShow, sentType } from './file-types.ts'
import { requireFile } from './find.ts'
import type { FileRecord } from './schema.ts'
import type { FileVersionsTable } from './table.ts'

/** What a request asks for. */
export interface ContentRequest {
  id: string
  /** By default, the present one. */
  version?: number | undefined
  disposition?: 'attachment' | 'inline' | undefined
}

/** Nothing in the content may run or load anything, wherever it is shown. */
export const POLICY = "sandbox; default-src 'none'; frame-ancestors 'self'"

export interface ContentAnswer {
  answer: FileAnswer
  body: Readable | ErrorAnswer | undefined
}

/**
 * The answer to a request for the content of a file, according to RFC 9110.
 * @throws NotFound, also if the viewer cannot see the file, Conflict before it is scanned or if it is infected, InvalidInput
 *   for content that browsers cannot show safely, Unavailable if the object storage is down
 */
export async function readContent(
  { db, objects }: { db: Db; objects: Objects },
  viewer: Viewer,
  request: Parameters<typeof fileResponse>[0],
  { id, version, disposition = 'attachment' }: ContentRequest,
): Promise<ContentAnswer> {
  const file: FileRecord = JSON.parse(await requireFile(db, viewer, id))
  const content = await readVersion(db, id, version ?? file.version)
  requireScanned(content)
  if (disposition === 'inline' && !canShow(content.type))
    throw new InvalidInput(
      `disposition must be attachment for this file: browsers show only PDF files and PNG, JPEG, GIF, WebP, and AVIF pictures safely, and it is ${content.type}.`,
    )
  const described = {
    etag: `"${content.sha256}"`,
    size: Number(content.size),
    lastModified: content.uploaded_at.toUTCString(),
    isStale: false,
  }
  const answer = fileResponse(request, described, {
    'content-type': sentType(content.type),
    'content-disposition': contentDisposition(disposition, file.name),
    'content-security-policy': POLICY,
    'x-frame-options': 'SAMEORIGIN',
  })
  const { part } = answer
  if (!part) return { answer, body: answer.error }
  return { answer, body: await openObject(objects, content.object_key, part === 'all' ? undefined : part) }
}

async function readVersion(db: Db, file_id: string, version: number) {
  const content = await db
    .selectFrom('file_versions')
    .select(['object_key', 'type', 'size', 'sha256', 'uploaded_at', 'scan_state'])
    .where('file_id', '=', file_id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!content)
    throw new NotFound(
      `The file ${file_id} has no version ${version}. GET /api/files/${file_id}/versions lists them.`,
    )
  return content
}

/** @throws Conflict for content that may harm, or may yet turn out to */
export function requireScanned({ scan_state }: Pick<FileVersionsTable, 'scan_state'>): void {
  if (scan_state === 'pending')
    throw new Conflict('The file has not been scanned for viruses yet. Try again in a moment.')
  if (scan_state === 'infected')
    throw new Conflict('The virus scan found something in this file, so it cannot be downloaded.')
}

/** @throws Unavailable if the object storage is down, or has lost the object */
export async function openObject(
  objects: Objects,
  key: string,
  range?: { start: number; end: number },
): Promise<Readable> {
  const opened = await objects.open(key, range).catch((cause) => {
    throw new Unavailable('The object storage cannot be read.', { cause })
  })
  if (!opened) throw new Unavailable('The object storage does not have the content of this file.')
  return opened.body
}

/** With the name in ASCII for old clients, and as it is (RFC 6266, RFC 8187). */
export function contentDisposition(disposition: 'attachment' | 'inline', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
