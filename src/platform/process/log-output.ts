import { writeSync } from 'node:fs'

export const STDOUT = 1
/** How many bytes may wait for a slow reader, and how often to retry. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024
const RETRY_INTERVAL_MS = 20
/** How long the process waits at exit for the log to be read. */
const FLUSH_TIMEOUT_MS = 2000
const NEVER = new Int32Array(new SharedArrayBuffer(4))

/**
 * Writes the log to standard output. Lines from one turn of the event loop are written together, because a write per
 * line would dominate the cost of logging. Writes are synchronous, so nothing is lost when the process ends. Output
 * that a slow reader does not take is buffered up to a limit; further lines are dropped and counted.
 */
export class LogOutput {
  #lines = ''
  #buffer: Buffer[] = []
  #bufferedBytes = 0
  #dropped = 0
  #isRetrying = false

  constructor() {
    // Opening Node's stream makes a full pipe return EAGAIN instead of blocking the process.
    void process.stdout
    process.on('exit', () => this.#end())
  }

  write(line: string): void {
    if (this.#lines === '') setImmediate(() => this.#write())
    this.#lines += line
  }

  #write(): void {
    this.#queue()
    this.#send()
    if (this.#bufferedBytes === 0 || this.#isRetrying) return
    this.#isRetrying = true
    setTimeout(() => {
      this.#isRetrying = false
      this.#write()
    }, RETRY_INTERVAL_MS).unref()
  }

  /** Appends the lines of this turn to the buffer. */
  #queue(): void {
    let lines = this.#lines
    this.#lines = ''
    if (this.#bufferedBytes > MAX_BUFFERED_BYTES) {
      this.#dropped += lines.split('\n').length - 1
      return
    }
    if (this.#dropped > 0) {
      const msg = `${this.#dropped} log lines were dropped because the reader was too slow`
      lines = `${JSON.stringify({ level: 40, time: new Date().toISOString(), msg })}\n${lines}`
      this.#dropped = 0
    }
    if (lines === '') return
    const bytes = Buffer.from(lines)
    this.#buffer.push(bytes)
    this.#bufferedBytes += bytes.length
  }

  /** Writes as much of the buffer as the reader takes. */
  #send(): void {
    try {
      for (let bytes = this.#buffer[0]; bytes; bytes = this.#buffer[0]) {
        const written = writeSync(STDOUT, bytes)
        this.#bufferedBytes -= written
        if (written === bytes.length) this.#buffer.shift()
        else this.#buffer[0] = bytes.subarray(written)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return
      // A closed pipe or a full disk is no reason to stop the service.
      this.#buffer = []
      this.#bufferedBytes = 0
    }
  }

  #end(): void {
    const deadline = Date.now() + FLUSH_TIMEOUT_MS
    for (;;) {
      this.#queue()
      this.#send()
      const isDone = this.#bufferedBytes === 0 && this.#dropped === 0
      if (isDone || Date.now() > deadline) return
      Atomics.wait(NEVER, 0, 0, 1)
    }
  }
}
