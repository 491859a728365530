import { once } from 'node:events'
import net from 'node:net'
import type { Readable } from 'node:stream'
import type { VirusScanConfig } from '#src/platform/config/virus-scan.ts'
import { truncate } from '#src/platform/truncate.ts'
import { LimitExceeded, outage, ScanFailed, type ScannerDown } from './scan-errors.ts'

/** In milliseconds. */
interface Timeouts {
  connect: number
  /** How long the scanner may be silent. By default, clamd scans a file for at most two minutes. */
  silence: number
}

/** How long clamd may take to refuse a size. */
const SIZE_CHECK_MS = 2000
const LENGTH_BYTES = 4
const END = Buffer.alloc(LENGTH_BYTES)
const MAX_ANSWER_LENGTH = 4096
const MAX_QUOTE_LENGTH = 200
const TOO_LARGE = /^INSTREAM size limit exceeded/
const noop = () => {}

/**
 * A clamd that scans streams, asked with its own protocol. The npm package `clamscan` reads a whole file into memory while
 * clamd is slow, hangs if the connection closes without an answer, and misses the answer that a file is too large.
 */
export class VirusScanner {
  readonly #address: VirusScanConfig
  readonly #timeouts: Timeouts
  #problem: string | undefined

  constructor(address: VirusScanConfig, timeouts: Timeouts = { connect: 5000, silence: 180_000 }) {
    this.#address = address
    this.#timeouts = timeouts
  }

  /** Why nothing can be scanned, as of the last attempt. */
  problem(): string | undefined {
    return this.#problem
  }

  /**
   * Checks that clamd answers.
   * @throws ScannerDown if it does not
   */
  async check(): Promise<void> {
    const socket = await this.#connect()
    try {
      const answer = answerOf(socket, this.#timeouts.connect)
      socket.write('zPING\0')
      if ((await answer) !== 'PONG') throw new ScanFailed(`It answers ${quoted(await answer)}.`)
      this.#problem = undefined
    } catch (error) {
      throw this.#down(error as Error)
    } finally {
      socket.destroy()
    }
  }

  /**
   * Scans content, and destroys its stream.
   * @param size of the whole content in bytes, less than 4 GB
   * @param stopped ends the scan
   * @returns the name of what was found; undefined: nothing
   * @throws ScannerDown if clamd cannot be reached, LimitExceeded if its settings do not allow the whole content, ScanFailed
   *   if it does not scan this content now, or the error of the content
   */
  async scan(content: Readable, size: number, stopped?: AbortSignal): Promise<string | undefined> {
    try {
      return await this.#scan(content, size, stopped)
    } catch (error) {
      if (error instanceof ScanFailed && !stopped?.aborted && (await this.#isTooLarge(size)))
        throw new LimitExceeded('StreamMaxLength')
      throw error
    }
  }

  async #scan(content: Readable, size: number, stopped: AbortSignal | undefined) {
    const ended = new AbortController()
    let socket: net.Socket | undefined
    try {
      socket = await this.#connect(stopped)
      const answer = answerOf(socket, this.#timeouts.silence)
      let isSent = false
      const sent = send(socket, content, size, ended.signal).then(() => {
        isSent = true
        return answer
      })
      const text = await Promise.race([answer, sent])
      this.#problem = undefined
      return readAnswer(text, isSent)
    } finally {
      ended.abort()
      socket?.destroy()
      content.on('error', noop).destroy()
    }
  }

  /**
   * Whether clamd refuses this size. It says so after the size alone; while content is being sent, it closes the connection,
   * and its answer may be lost.
   */
  async #isTooLarge(size: number): Promise<boolean> {
    let socket: net.Socket | undefined
    try {
      socket = await this.#connect()
      const answer = answerOf(socket, Math.min(SIZE_CHECK_MS, this.#timeouts.silence))
      socket.write(beginning(size))
      return TOO_LARGE.test(await answer)
    } catch {
      return false
    } finally {
      socket?.destroy()
    }
  }

  async #connect(stopped?: AbortSignal): Promise<net.Socket> {
    const socket = net.connect({ ...this.#address, ...(stopped && { signal: stopped }) })
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(this.#timeouts.connect) })
      return socket
    } catch (error) {
      socket.on('error', noop).destroy()
      throw this.#down(error as Error)
    }
  }

  #down(cause: Error): ScannerDown {
    const error = outage(this.#address, cause)
    this.#problem = error.message
    return error
  }
}

/** What the server answers, without the zero at its end. */
function answerOf(socket: net.Socket, silenceMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Until it is awaited, what is sent may fail.
  promise.catch(noop)
  const fail = (problem: string) => reject(new ScanFailed(problem))
  let answer = ''
  socket.on('data', (part) => {
    answer += part.toString('latin1')
    const end = answer.indexOf('\0')
    if (end >= 0) resolve(answer.slice(0, end))
    else if (answer.length > MAX_ANSWER_LENGTH) fail(`The virus scanner answers ${quoted(answer)}.`)
  })
  socket.setTimeout(silenceMs)
  socket.on('timeout', () => fail(`The virus scanner has not answered for ${silenceMs / 1000} seconds.`))
  socket.on('error', ({ message }) => fail(`The connection to the virus scanner broke: ${message}.`))
  socket.on('close', () =>
    fail(
      answer
        ? `The virus scanner answers ${quoted(answer)} and closes the connection.`
        : 'The virus scanner closed the connection without an answer.',
    ),
  )
  return promise
}

/**
 * Sends content, no faster than clamd reads it.
 * @throws ScanFailed if its size differs
 */
async function send(socket: net.Socket, content: Readable, size: number, ended: AbortSignal): Promise<void> {
  let length = 0
  socket.write(beginning(size))
  for await (const part of content as AsyncIterable<Buffer>) {
    length += part.length
    if (length > size) break
    if (!socket.write(part)) await once(socket, 'drain', { signal: ended })
  }
  if (length !== size)
    throw new ScanFailed(`The stored file does not have ${size} bytes, and was not scanned.`)
  if (size > 0) socket.write(END)
}

/** The command and the length of the only part of the content. Nothing follows a length of 0. */
function beginning(size: number): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(size)
  return Buffer.concat([Buffer.from('zINSTREAM\0'), length])
}

/** @param isSent whether the whole content has been sent: before, it cannot be clean */
function readAnswer(text: string, isSent: boolean): string | undefined {
  if (text === 'stream: OK' && isSent) return undefined
  if (TOO_LARGE.test(text)) throw new LimitExceeded('StreamMaxLength')
  const [, found] = /^stream: (.+) FOUND$/.exec(text) ?? []
  if (!found) throw new ScanFailed(`The virus scanner answers ${quoted(text)}.`)
  // With AlertExceedsMax, clamd reports in this way that it has not scanned everything.
  const [, limit] = /^Heuristics\.Limits\.Exceeded\.(\w+)/.exec(found) ?? []
  if (limit) throw new LimitExceeded(limit)
  return truncate(found, MAX_QUOTE_LENGTH)
}

/** On one line. */
const quoted = (answer: string): string =>
  `"${truncate(answer.replace(/[\s\p{Cc}]+/gu, ' ').trim(), MAX_QUOTE_LENGTH)}"`
