import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { UPLOADS_PREFIX } from '#src/features/files/index.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { filePart } from './manifest.ts'

/** Files up to this size are held as a whole. Larger ones are streamed. */
const SMALL_BYTES = 256 * 1024
/** How many small files are read or written at once: in a busy process, each step of reading one waits for its turn. */
const GROUP_FILES = 64
const GROUP_BYTES = 8 * 1024 * 1024

/**
 * Adds all files to a backup, after the records that name them have been read: files are written before those. Only files of
 * records that are purged in the meantime are missing.
 * @param known the uploads in the records, if they have any; later ones are left out, because nothing would refer to them
 * @returns how many there are
 */
export async function addFiles(
  archive: ArchiveWriter,
  objects: Objects,
  known: ReadonlySet<string> | undefined,
): Promise<number> {
  let files = 0
  const add = async (key: string, content: Buffer | 'large' | null) => {
    if (content === null) return
    if (content === 'large') {
      const object = await objects.open(key)
      if (!object) return
      await archive.addStream(filePart(key), object.size, object.body)
    } else await archive.add(filePart(key), content)
    files += 1
  }
  const isKnown = (key: string) => !known || !key.startsWith(UPLOADS_PREFIX) || known.has(key)
  for await (const group of groupsOf(objects.list())) {
    const keys = group.filter(isKnown)
    const contents = await Promise.all(
      keys.map(async (key) => [key, await contentIfSmall(objects, key)] as const),
    )
    const small = contents.filter(([, content]) => content !== 'large')
    await Promise.all(small.map(([key, content]) => add(key, content)))
    for (const [key, content] of contents) if (content === 'large') await add(key, content)
  }
  return files
}

/** The content; null if the file was purged since it was listed. */
async function contentIfSmall(objects: Objects, key: string): Promise<Buffer | 'large' | null> {
  const object = await objects.open(key)
  if (!object) return null
  if (object.size <= SMALL_BYTES) return buffer(object.body)
  // Opened again in its turn: a store closes a connection on which nothing is read.
  object.body.destroy()
  return 'large'
}

async function* groupsOf(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let group: string[] = []
  for await (const key of keys) {
    group.push(key)
    if (group.length < GROUP_FILES) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Writes the files of a backup: small ones in groups, large ones by way of a file on the disk. */
export class FileRestorer {
  readonly #objects: Objects
  readonly #folder: string
  readonly #disk: FreeSpace | undefined
  #group: [key: string, content: Buffer][] = []
  #bytes = 0

  /**
   * @param folder for large files until they are whole
   * @param disk of the files
   */
  constructor(objects: Objects, folder: string, disk: FreeSpace | undefined) {
    this.#objects = objects
    this.#folder = folder
    this.#disk = disk
  }

  async write(key: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    if (size > SMALL_BYTES) return this.#writeLarge(key, size, content)
    this.#group.push([key, await buffer(content)])
    this.#bytes += size
    if (this.#group.length >= GROUP_FILES || this.#bytes >= GROUP_BYTES) await this.finish()
  }

  /** Writes what has been collected. */
  async finish(): Promise<void> {
    const group = this.#group
    this.#group = []
    this.#bytes = 0
    await this.#objects.write(group)
  }

  async #writeLarge(key: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    this.#disk?.require(2 * size)
    makePrivateFolder(this.#folder)
    const file = path.join(this.#folder, randomUUID())
    try {
      await pipeline(content, createWriteStream(file, { mode: 0o600 }))
      await this.#objects.writeFile(key, file)
    } finally {
      await rm(file, { force: true })
    }
  }
}
