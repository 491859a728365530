import type { Readable } from 'node:stream'

export interface ObjectDescription {
  /** In bytes. */
  size: number
  /** A strong entity tag, with its quotation marks: another one stands for other bytes (RFC 9110, section 8.8.3). */
  etag: string
  modified: Date
}

export interface OpenObject extends ObjectDescription {
  body: Readable
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Files by key, a path with `/` in it. Keys are made by the program, never taken from a request. */
export interface Objects {
  /** The object's bytes, or null when there is none. */
  read(key: string): Promise<Buffer | null>
  describe(key: string): Promise<ObjectDescription | null>
  /** The object, or a part of it, as a stream; `size` is that of all of it. */
  open(key: string, range?: ByteRange): Promise<OpenObject | null>
  /** Writes objects, each whole or not at all. */
  write(objects: Iterable<[key: string, content: string | Buffer]>): Promise<void>
  /**
   * Sees whether the store takes its settings.
   * @throws StoreRefusal when it does not; any other error when it is out of reach
   */
  check?(signal: AbortSignal): Promise<void>
}

/** Somebody has to see to the settings. The message is a sentence for a person that leaks nothing. */
export class StoreRefusal extends Error {
  readonly isRefusal = true
}
