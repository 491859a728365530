import { ConstantBackoff, handleAll, retry } from 'cockatiel'
import type { Db } from '#src/platform/database/database.ts'
import type { ImportCounts } from './import-options.ts'
import type { HeldType } from './schema.ts'
import { advanceImport, completeImport, type ImportProgress, insertImport, interruptImport } from './store.ts'

const INTERVAL_MS = 1000
/** How often an import without progress records that it is still running. */
const SILENT_TICKS = 5
/** The end of an import is worth a few tries: the database may be failing over. */
const retries = retry(handleAll, { maxAttempts: 4, backoff: new ConstantBackoff(1000) })

/** An import that is running. */
export interface RunningImport {
  readonly id: string
  readonly counts: ImportCounts
  /** The action that has changed records; null if nothing has been changed. */
  readonly changedBy: string | null
}

/** The file of an import. */
export interface ImportedFile {
  name: string | null
  /** null if the client did not announce it. */
  bytes: number | null
  /** The number of bytes so far. */
  read: number
}

/** Keeps the record of an import: its progress, and later its result. */
export class ImportRecord {
  readonly #db: Db
  readonly #type: HeldType
  readonly #email: string | null
  readonly #file: ImportedFile
  #importing: RunningImport | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()
  #latest = ''
  #silentTicks = 0

  constructor(db: Db, type: HeldType, email: string | null, file: ImportedFile) {
    this.#db = db
    this.#type = type
    this.#email = email
    this.#file = file
  }

  /** Creates the record. */
  async start(importing: RunningImport): Promise<void> {
    const { name, bytes } = this.#file
    await insertImport(this.#db, {
      ...{ id: importing.id, type: this.#type, user_email: this.#email, counts: importing.counts },
      ...{ file_name: name, file_bytes: bytes },
    })
    this.#importing = importing
    this.#timer = setInterval(() => this.#advance(importing), INTERVAL_MS).unref()
  }

  async complete(report: object): Promise<void> {
    await this.#end((importing) =>
      completeImport(this.#db, importing.id, this.#progressOf(importing), report),
    )
  }

  async interrupt(reason: string): Promise<void> {
    await this.#end((importing) =>
      interruptImport(this.#db, importing.id, this.#progressOf(importing), reason),
    )
  }

  /** The import counts even if its record cannot be written: then the record becomes interrupted later. */
  async #end(write: (importing: RunningImport) => Promise<void>): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
    const importing = this.#importing
    if (importing) await retries.execute(() => write(importing)).catch(() => {})
  }

  #advance(importing: RunningImport): void {
    const progress = this.#progressOf(importing)
    const text = JSON.stringify(progress)
    this.#silentTicks = text === this.#latest ? this.#silentTicks + 1 : 0
    if (this.#silentTicks % SILENT_TICKS !== 0) return
    this.#latest = text
    this.#writing = this.#writing.then(() => advanceImport(this.#db, importing.id, progress)).catch(() => {})
  }

  #progressOf({ counts, changedBy }: RunningImport): ImportProgress {
    return { bytes_read: this.#file.read, counts, action_id: changedBy }
  }
}
