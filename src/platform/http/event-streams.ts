import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { TooManyRequests } from '#src/platform/errors.ts'
import type { AccessState } from '#src/platform/identity/access-state.ts'

/** Proxies close connections that are idle for a minute. */
const KEEP_ALIVE_INTERVAL_MS = 15_000
const KEEP_ALIVE_CHECK_MS = 5000
/** Some proxies pass on nothing until 4 KB have come, whatever the headers say. A comment of that size follows each message. */
const PADDING = `:${' '.repeat(4096)}\n\n`
/** A client that reads slower than this is behind. */
const MAX_BUFFERED_BYTES = 256 * 1024
/** setTimeout cannot wait longer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export const MAX_STREAMS_PER_USER = 10
export const MAX_STREAMS = 500

/** Who opens a stream. */
export interface Subscription {
  /** Who the streams are counted for. */
  caller: string
  /** When the caller's credential expires or the session may have been idle, in Unix seconds; the stream ends then. */
  expires: number | undefined
  /** Whether the caller may still read the stream; it ends when not. */
  isAllowed?: () => boolean
}

/** A stream of server-sent events (WHATWG HTML, section 9.2). */
export class EventStream {
  readonly body = new Readable({ read() {} })
  readonly isAllowed: () => boolean
  #sentAt = Date.now()
  #hasEnded = false

  constructor(isAllowed: () => boolean) {
    this.isAllowed = isAllowed
    this.send('retry: 2000\n\n')
  }

  /** Whether the client has not read what it was sent. */
  get isBehind(): boolean {
    return this.body.readableLength >= MAX_BUFFERED_BYTES
  }

  /** @param message whole events, each with its empty line */
  send(message: string): void {
    if (this.#hasEnded || this.body.destroyed) return
    this.#sentAt = Date.now()
    this.body.push(message + PADDING)
  }

  /** Sends a comment if nothing else was sent for a while. */
  keepAlive(now: number): void {
    if (now - this.#sentAt >= KEEP_ALIVE_INTERVAL_MS) this.send(': keep-alive\n\n')
  }

  /** Ends the stream once the client has read everything. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.body.push(null)
  }

  /** Ends the stream at once, whatever the client has read. */
  cut(): void {
    this.body.destroy()
  }
}

/** All event streams of this process, whatever they carry. They share their limits. */
export class EventStreams {
  readonly #open = new Set<EventStream>()
  readonly #streamsOf = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  /**
   * Opens a stream. It ends with the credential of its caller.
   * @param onClose called when the stream has ended or its client is gone
   * @throws TooManyRequests when the caller or the process has as many streams as it may have
   */
  open({ caller, expires, isAllowed = () => true }: Subscription, onClose: () => void): EventStream {
    this.#count(caller)
    const stream = new EventStream(isAllowed)
    const expiry =
      expires === undefined ? undefined : setTimeout(() => stream.end(), untilExpiry(expires)).unref()
    this.#open.add(stream)
    this.#timer ??= setInterval(() => this.#keepAlive(), KEEP_ALIVE_CHECK_MS).unref()
    stream.body.once('close', () => {
      clearTimeout(expiry)
      this.#release(caller)
      this.#open.delete(stream)
      onClose()
    })
    // Access may have ended since the caller was identified.
    if (!isAllowed()) stream.end()
    return stream
  }

  /** Ends the streams of callers whose access has ended. */
  endForbidden(): void {
    for (const stream of this.#open)
      if (!stream.isAllowed()) {
        // A client that does not read would keep its stream.
        if (stream.isBehind) stream.cut()
        else stream.end()
      }
  }

  /** Ends all streams. */
  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const stream of this.#open) stream.end()
  }

  #count(caller: string): void {
    const own = this.#streamsOf.get(caller) ?? 0
    if (own >= MAX_STREAMS_PER_USER)
      throw new TooManyRequests(
        `You have ${own} event streams open, the most a user may have. Close one first.`,
      )
    if (this.#open.size >= MAX_STREAMS)
      throw new TooManyRequests(
        `${MAX_STREAMS} event streams are open, the most that one process serves. Try again later.`,
      )
    this.#streamsOf.set(caller, own + 1)
  }

  #release(caller: string): void {
    const left = (this.#streamsOf.get(caller) ?? 1) - 1
    if (left === 0) this.#streamsOf.delete(caller)
    else this.#streamsOf.set(caller, left)
  }

  #keepAlive(): void {
    const now = Date.now()
    for (const stream of this.#open) stream.keepAlive(now)
  }
}

/** Ends streams when the access of their callers ends, and when the service shuts down. */
export function endEventStreams(
  app: FastifyInstance,
  { eventStreams, access }: { eventStreams: EventStreams; access: AccessState },
): void {
  const stopListening = access.onChange(() => eventStreams.endForbidden())
  app.addHook('preClose', (done) => {
    stopListening()
    eventStreams.close()
    done()
  })
}

/** Timers drop fractions of a millisecond, and would end the stream before the credential. */
const untilExpiry = (expires: number): number =>
  Math.min(MAX_TIMEOUT_MS, Math.max(0, Math.ceil(expires * 1000 - Date.now())))
