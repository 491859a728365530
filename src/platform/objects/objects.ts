import type { Readable } from 'node:stream'

export interface ObjectDescription {
  /** In bytes. */
  size: number
  /** A strong entity tag, including its quotes: it changes with the content (RFC 9110, section 8.8.3). */
  etag: string
  modified: Date
}

export interface OpenObject extends ObjectDescription {
  body: Readable
}

/** A byte range; `start` and `end` are inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** Files by key, a path that may contain `/`. Keys never come from a request. */
export interface Objects {
  /** The object's content, or null if it does not exist. */
  read(key: string): Promise<Buffer | null>
  describe(key: string): Promise<ObjectDescription | null>
  /** Opens the object, or a range of it, as a stream; `size` is the size of the whole object. */
  open(key: string, range?: ByteRange): Promise<OpenObject | null>
  /** Writes objects. Each write is atomic. */
  write(objects: Iterable<[key: string, content: string | Buffer]>): Promise<void>
  /**
   * Writes an object from a file, which may be moved. The write is atomic.
   * @param file the path of a whole file, which the caller removes if it is still there
   */
  writeFile(key: string, file: string): Promise<void>
  /** The keys of all objects, in no particular order. */
  list(): AsyncIterable<string>
  /** Deletes objects; missing ones are ignored. */
  delete(keys: Iterable<string>): Promise<void>
  /**
   * Checks that the store accepts the configured settings.
   * @throws StoreRefusal if it does not; any other error if it is unreachable
   */
  check?(signal: AbortSignal): Promise<void>
}

/** What the store has refused to delete. */
export interface RefusedDeletions {
  /** How many records wait for the store to delete their files. */
  records: number
  /** A full sentence; `undefined` if there are none. */
  reason: string | undefined
}

/** Whether retrying does not help until someone changes the settings or permissions of the store. */
export const isRefusal = (error: unknown): error is StoreRefusal => error instanceof StoreRefusal

/** The store rejects the configured settings. The message is a full sentence without secrets. */
export class StoreRefusal extends Error {
  readonly isRefusal = true
}
