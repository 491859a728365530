import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { Unavailable } from '#src/platform/errors.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder, removeUnfinished } from '#src/platform/process/private-folder.ts'

/** The folder of uploads that arrive faster than they are read. */
export class UploadFolder {
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
    try {
      makePrivateFolder(this.#folder)
      const file = path.join(this.#folder, randomUUID())
      const handle = await open(file, 'wx+', 0o600)
      // The file exists without a name until it is closed, which the system does for a process that is killed.
      await rm(file).catch((error) => handle.close().then(() => Promise.reject(error)))
      return new UploadFile(handle, this.#freeSpace)
    } catch (error) {
      throw unwritable(error as NodeJS.ErrnoException)
    }
  }
}

/** A file that is read while it is being written. */
class UploadFile {
  readonly #handle: FileHandle
  readonly #freeSpace: FreeSpace
  #written = 0
  #read = 0

  constructor(handle: FileHandle, freeSpace: FreeSpace) {
    this.#handle = handle
    this.#freeSpace = freeSpace
  }

  /** The number of bytes that have not been read yet. */
  get unread(): number {
    return this.#written - this.#read
  }

  /** @throws Unavailable if the disk is nearly full or cannot be written */
  async append(bytes: Buffer): Promise<void> {
    this.#freeSpace.take(bytes.length)
    try {
      for (let done = 0; done < bytes.length; ) {
        const left = bytes.length - done
        done += (await this.#handle.write(bytes, done, left, this.#written + done)).bytesWritten
      }
    } catch (error) {
      throw unwritable(error as NodeJS.ErrnoException)
    }
    this.#written += bytes.length
  }

  /** Reads up to as many bytes of what has not been read yet. */
  async read(maxBytes: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(maxBytes, this.unread))
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, this.#read)
    if (bytesRead === 0) throw new Unavailable('The temporary file of the upload was cut off.')
    this.#read += bytesRead
    return buffer.subarray(0, bytesRead)
  }

  /** Closes and removes it. */
  close(): Promise<void> {
    return this.#handle.close()
  }
}

export type { UploadFile }

const unwritable = (error: NodeJS.ErrnoException) =>
  new Unavailable(`The upload cannot be written to DATA_DIR (${error.code}).`, { cause: error })
