import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { sql } from 'kysely'
import { ZipFile } from 'yazl'
import { orTrashed } from '#src/features/trash/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { NotFound } from '#src/platform/errors.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { openObject } from './content.ts'
import { isFileAbout } from './fields.ts'
import { listedTo } from './store.ts'
import type { FileVersionsTable } from './table.ts'

const NOT_INCLUDED = 'NOT-INCLUDED.txt'

/** Of which record all files are downloaded. */
export interface ArchiveTarget {
  type: 'company' | 'deal'
  id: string
}

interface ArchivedFile extends Pick<FileVersionsTable, 'object_key' | 'type' | 'scan_state' | 'uploaded_at'> {
  id: string
  name: string
  size: number
}

/** What an archive has when it ends. */
export interface ArchiveResult {
  files: number
  left_out: number
  bytes: number
  /** Whether the client received all of it. */
  complete: boolean
}

/**
 * All files of a record that the viewer can see, as a ZIP that is made while it is sent.
 * @param onEnd called once when it ends
 * @returns the ZIP, and its name for saving
 * @throws NotFound if there is no such record, if it is in the trash, or if it has no files. Moved if it is part of another one
 */
export async function archiveFiles(
  { db, objects }: { db: Db; objects: Objects },
  viewer: Viewer,
  target: ArchiveTarget,
  onEnd: (result: ArchiveResult) => void,
): Promise<{ zip: Readable; name: string }> {
  const name = await requireName(db, target)
  const files = await readFiles(db, viewer, target)
  if (files.length === 0) throw new NotFound(`The ${target.type} ${target.id} has no files.`)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // For an object of another length than its file. Without a listener, it would end the process.
  zip.on('error', (error) => output.destroy(error))
  const result = { files: 0, left_out: 0, bytes: 0 }
  fill(zip, { db, objects }, viewer, { target, files, result }).catch((error) => output.destroy(error))
  finished(output).then(
    () => onEnd({ ...result, complete: true }),
    () => onEnd({ ...result, complete: false }),
  )
  return { zip: output, name: `${name}.zip` }
}

/** The name of the company. @throws NotFound, Moved */
async function requireName(db: Db, { type, id }: ArchiveTarget): Promise<string> {
  const { rows } = await (type === 'company'
    ? sql<{ name: string }>`select name from companies where id = ${id}`
    : sql<{ name: string }>`
        select name from dealflow join companies on companies.id = company_id where dealflow.id = ${id}`
  ).execute(db)
  return (await orTrashed(db, rows[0], type, id)).name
}

async function readFiles(
  db: Db,
  viewer: Viewer,
  { id }: ArchiveTarget,
  file_id?: string,
): Promise<ArchivedFile[]> {
  const isAsked = file_id === undefined ? [] : [sql`current_files.id = ${file_id}`]
  const { rows } = await sql<ArchivedFile>`
    select id, name, object_key, type, size::float8 as size, scan_state, uploaded_at from current_files
    where ${all([...isAsked, isFileAbout([id]), ...listedTo(viewer)])} order by fold_text(name), id`.execute(
    db,
  )
  return rows
}

/** Adds one file after the other: each is opened when the one before has been sent. */
async function fill(
  zip: ZipFile,
  { db, objects }: { db: Db; objects: Objects },
  viewer: Viewer,
  {
    target,
    files,
    result,
  }: { target: ArchiveTarget; files: readonly ArchivedFile[]; result: Omit<ArchiveResult, 'complete'> },
): Promise<void> {
  const output = zip.outputStream as Readable
  const taken = new Set([NOT_INCLUDED.toLowerCase()])
  const leftOut: string[] = []
  for (const { id } of files) {
    if (output.destroyed) return
    // It may have become private, infected, or trash while others were sent. Then not even its name is shown.
    const [file] = await readFiles(db, viewer, target, id)
    if (!file) continue
    const content = await openScanned(objects, file)
    if (typeof content === 'string') {
      leftOut.push(`${file.name} (${file.id}): ${content}\r\n`)
      continue
    }
    // A client that has gone ends the reading.
    const stop = () => content.destroy()
    output.once('close', stop)
    const { size, uploaded_at: mtime } = file
    try {
      zip.addReadStream(content, uniqueName(file.name, taken), { size, mtime, compress: isText(file) })
    } catch (error) {
      stop()
      output.off('close', stop)
      leftOut.push(`${file.name} (${file.id}): ${(error as Error).message}\r\n`)
      continue
    }
    await finished(content).finally(() => output.off('close', stop))
    result.files += 1
    result.bytes += size
  }
  result.left_out = leftOut.length
  if (leftOut.length > 0) zip.addBuffer(Buffer.from(leftOut.join('')), NOT_INCLUDED)
  zip.end()
}

/** The content of a file, or why it is left out, as a sentence. */
async function openScanned(objects: Objects, file: ArchivedFile): Promise<Readable | string> {
  if (file.scan_state === 'infected') return 'The virus scan found something in this file.'
  if (file.scan_state === 'pending') return 'The file has not been scanned for viruses yet.'
  return openObject(objects, file.object_key).catch((error: Error) => error.message)
}

/** Most other types are compressed already. */
const isText = ({ type }: ArchivedFile): boolean => /^text\/|\+xml$|\bxml$|^message\//.test(type)

/** A name that no other file of the archive has, in any case, and that is not on a drive: `C:deck.pdf`. */
function uniqueName(fileName: string, taken: Set<string>): string {
  const name = fileName.replace(/^([a-z]):/i, '$1_')
  const [, base = name, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  let unique = name
  for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${base} (${number})${extension}`
  taken.add(unique.toLowerCase())
  return unique
}
