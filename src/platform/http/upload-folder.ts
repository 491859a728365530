import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { TemporaryFile, TemporaryFiles } from '#src/platform/csv/replayable-file.ts'
import { Unavailable } from '#src/platform/errors.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder, removeUnfinished } from '#src/platform/process/private-folder.ts'

const READ_BYTES = 64 * 1024

/** The folder of uploads, and of what they are unpacked to. */
export class UploadFolder implements TemporaryFiles {
  readonly #folder: string
  readonly #freeSpace: FreeSpace

  /** @param freeSpace of the folder's disk */
  constructor(folder: string, freeSpace: FreeSpace) {
    this.#folder = folder
    this.#freeSpace = freeSpace
    // Some network disks keep the files of a process that was killed.
    removeUnfinished(folder).catch(() => {})
  }

  /** @throws Unavailable if the disk has too little space for an upload of this size */
  requireSpace(bytes: number): void {
    this.#freeSpace.require(bytes)
  }

  /** @throws Unavailable if the folder cannot be written */
  async create(): Promise<UploadFile> {
    const { handle, file } = await this.#open()
    // The file exists without a name until it is closed, which the system does for a process that is killed.
    await rm(file).catch((error) => handle.close().then(() => Promise.reject(unwritable(error))))
    return new UploadFile(handle, this.#freeSpace)
  }

  /** A file for those who need its path. @throws Unavailable if the folder cannot be written */
  async createNamed(): Promise<NamedUploadFile> {
    const { handle, file } = await this.#open()
    return new NamedUploadFile(handle, this.#freeSpace, file)
  }

  async #open(): Promise<{ handle: FileHandle; file: string }> {
    try {
      makePrivateFolder(this.#folder)
      const file = path.join(this.#folder, randomUUID())
      return { handle: await open(file, 'wx+', 0o600), file }
    } catch (error) {
      throw unwritable(error as NodeJS.ErrnoException)
    }
  }
}

/** A file without a name, which is gone when it is closed. */
class UploadFile implements TemporaryFile {
  readonly #handle: FileHandle
  readonly #freeSpace: FreeSpace
  #size = 0

  constructor(handle: FileHandle, freeSpace: FreeSpace) {
    this.#handle = handle
    this.#freeSpace = freeSpace
  }

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  /** @throws Unavailable if the disk is nearly full or cannot be written */
  async append(bytes: Buffer): Promise<void> {
    this.#freeSpace.take(bytes.length)
    try {
      for (let done = 0; done < bytes.length; ) {
        const left = bytes.length - done
        done += (await this.#handle.write(bytes, done, left, this.#size + done)).bytesWritten
      }
    } catch (error) {
      throw unwritable(error as NodeJS.ErrnoException)
    }
    this.#size += bytes.length
  }

  /** Reads it from the start, as it is now. */
  async *read(): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.#size; ) {
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, this.#size - at))
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) throw new Unavailable('The temporary file of the upload was cut off.')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  /** Closes and removes it. */
  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** A file that is removed when it is closed, unless it has been moved. A process that is killed leaves it for an hour. */
class NamedUploadFile extends UploadFile {
  readonly path: string

  constructor(handle: FileHandle, freeSpace: FreeSpace, file: string) {
    super(handle, freeSpace)
    this.path = file
  }

  override async close(): Promise<void> {
    await super.close()
    await rm(this.path, { force: true })
  }
}

export type { NamedUploadFile, UploadFile }

const unwritable = (error: NodeJS.ErrnoException) =>
  new Unavailable(`The upload cannot be written to DATA_DIR (${error.code}).`, { cause: error })
