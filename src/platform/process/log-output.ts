import { writeSync } from 'node:fs'

export const STDOUT = 1
/** What may wait for a reader that is slow, in bytes, and how often it is tried. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024
const TRY_AGAIN_MS = 20
/** How long the end of the process waits for it. */
const FLUSH_TIMEOUT_MS = 2000
const NEVER = new Int32Array(new SharedArrayBuffer(4))

/**
 * The log on its way to standard output. What one turn of the event loop has logged is written at once: a write for each
 * line would cost more than all else that the log does. It is written before the process goes on, so that one that ends
 * loses nothing; what a slow reader does not take waits, and lines that are too many for that are dropped and counted.
 */
export class LogOutput {
  #lines = ''
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #dropped = 0
  #isTryingAgain = false

  constructor() {
    // Opened as Node's stream, a pipe says that it is full where it would otherwise stop the whole process.
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
    if (this.#waitingBytes === 0 || this.#isTryingAgain) return
    this.#isTryingAgain = true
    setTimeout(() => {
      this.#isTryingAgain = false
      this.#write()
    }, TRY_AGAIN_MS).unref()
  }

  /** Puts the turn's lines behind what waits. */
  #queue(): void {
    let lines = this.#lines
    this.#lines = ''
    if (this.#waitingBytes > MAX_BUFFERED_BYTES) {
      this.#dropped += lines.split('\n').length - 1
      return
    }
    if (this.#dropped > 0) {
      const msg = `${this.#dropped} lines of the log were dropped: whoever reads it was too slow`
      lines = `${JSON.stringify({ level: 40, time: new Date().toISOString(), msg })}\n${lines}`
      this.#dropped = 0
    }
    if (lines === '') return
    const bytes = Buffer.from(lines)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
  }

  /** Sends as much of what waits as is taken. */
  #send(): void {
    try {
      for (let bytes = this.#waiting[0]; bytes; bytes = this.#waiting[0]) {
        const written = writeSync(STDOUT, bytes)
        this.#waitingBytes -= written
        if (written === bytes.length) this.#waiting.shift()
        else this.#waiting[0] = bytes.subarray(written)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return
      // That nobody reads it any more, or that the disk is full, is no reason to stop.
      this.#waiting = []
      this.#waitingBytes = 0
    }
  }

  #end(): void {
    const deadline = Date.now() + FLUSH_TIMEOUT_MS
    for (;;) {
      this.#queue()
      this.#send()
      const isDone = this.#waitingBytes === 0 && this.#dropped === 0
      if (isDone || Date.now() > deadline) return
      Atomics.wait(NEVER, 0, 0, 1)
    }
  }
}
