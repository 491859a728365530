/** A file that can be read any number of times. */
export interface ReplayableFile {
  /** In bytes. */
  readonly size: number
  /** Reads it from the start. */
  read(): AsyncIterable<Buffer>
}

/** A file that is written, then read, and gone when it is closed. */
export interface TemporaryFile extends ReplayableFile {
  /** @throws if the disk is nearly full or cannot be written */
  append(bytes: Buffer): Promise<void>
  close(): Promise<void>
}

/** Where temporary files are created. */
export interface TemporaryFiles {
  create(): Promise<TemporaryFile>
}
