import { statfsSync } from 'node:fs'
import type { Config } from '#src/platform/config/config.ts'
import { Unavailable } from '#src/platform/errors.ts'

/** Asking the system takes microseconds; a busy service asks a few times per second. */
const MAX_AGE_MS = 250
const MB = 1024 * 1024

interface DiskSize {
  bsize: number
  blocks: number
  bavail: number
}

export interface DiskSpace {
  /** In bytes, without what the system reserves for root; undefined if the disk cannot be read. */
  free: number | undefined
  /** In bytes; with less, nothing more is written. */
  required: number
}

interface Parts {
  limits: Config['freeSpace']
  statfs?: (folder: string) => DiskSize
  /** In milliseconds. */
  now?: () => number
}

/** The free space of the disk that holds a folder. */
export class FreeSpace {
  /** What the folder contains, as messages name it, such as `the database`. */
  readonly content: string
  readonly folder: string
  readonly #parts: Required<Parts>
  #space: DiskSpace = { free: undefined, required: 0 }
  #readAt = Number.NEGATIVE_INFINITY

  constructor(
    content: string,
    folder: string,
    { limits, statfs = statfsSync, now = () => performance.now() }: Parts,
  ) {
    this.content = content
    this.folder = folder
    this.#parts = { limits, statfs, now }
  }

  /** At most a quarter of a second old. */
  read(): DiskSpace {
    const now = this.#parts.now()
    if (now - this.#readAt >= MAX_AGE_MS) {
      this.#readAt = now
      this.#space = this.#ask()
    }
    return this.#space
  }

  /** Why nothing may be written now, as a sentence; undefined when there is enough space. */
  problem(): string | undefined {
    const { free, required } = this.read()
    if (free === undefined || free >= required) return undefined
    return (
      `The disk that holds ${this.content} has only ${megabytes(free)} MB free; below ${megabytes(required)} MB ` +
      'nothing is written, and reading continues. Free some space on it.'
    )
  }

  /** @throws Unavailable when the disk has too little free space */
  check(): void {
    const problem = this.problem()
    if (problem) throw new Unavailable(problem)
  }

  /** @throws Unavailable when as many more bytes would leave too little free space */
  require(bytes: number): void {
    const { free, required } = this.read()
    if (free === undefined || free - bytes >= required) return
    throw new Unavailable(
      `The disk that holds ${this.content} has only ${megabytes(free)} MB free, and ${Math.ceil(bytes / MB)} MB more would ` +
        `leave less than ${megabytes(required)} MB. Free some space on it.`,
    )
  }

  /**
   * Takes space for bytes that are about to be written, of which the latest reading does not know.
   * @throws Unavailable when they would leave too little free space
   */
  take(bytes: number): void {
    this.require(bytes)
    if (this.#space.free !== undefined) this.#space.free -= bytes
  }

  #ask(): DiskSpace {
    const { limits, statfs } = this.#parts
    try {
      const { bsize, blocks, bavail } = statfs(this.folder)
      const percentage = Math.ceil((blocks * bsize * limits.minPercent) / 100)
      return { free: bavail * bsize, required: Math.max(limits.minBytes, percentage) }
    } catch {
      // A missing folder is another error, which its user reports.
      return { free: undefined, required: limits.minBytes }
    }
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / MB)
