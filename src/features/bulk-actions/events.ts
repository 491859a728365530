import { Readable } from 'node:stream'
import type { Json } from '#src/platform/database/sql.ts'
import { TooManyRequests } from '#src/platform/errors.ts'
import { FINAL_STATUSES } from './schema.ts'

const POLL_INTERVAL_MS = 500
/** Proxies close connections that are idle for a minute. */
const KEEP_ALIVE_INTERVAL_MS = 15_000
/** A client that reads slower than this misses progress, but never the end. */
const MAX_BUFFERED_BYTES = 256 * 1024
/** setTimeout cannot wait longer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export const MAX_STREAMS_PER_USER = 10
export const MAX_STREAMS = 500

export interface ProgressSource {
  /** When each of these actions last changed; actions that do not exist are missing. */
  readVersions(ids: string[]): Promise<Map<string, string>>
  /** The actions as the API shows them. */
  readActions(ids: string[]): Promise<Map<string, Json>>
}

interface Subscriber {
  stream: Readable
  /** What it has been sent last. */
  latest: Json | undefined
  idleSince: number
  isAllowed: () => boolean
  stop(): void
}

interface Followed {
  version: string | undefined
  subscribers: Set<Subscriber>
}

interface Subscription {
  id: string
  /** Who the streams are counted for. */
  caller: string
  /** When the caller's credential expires, in seconds since 1970; the stream ends then. */
  expires: number | undefined
  /** Whether the caller may still follow the action; the stream ends when not. */
  isAllowed?: () => boolean
}

/**
 * The progress of actions as server-sent events (WHATWG HTML, section 9.2). All streams share one poll of the database,
 * of at most two statements, however many actions they follow.
 */
export class ProgressStreams {
  readonly #source: ProgressSource
  readonly #followed = new Map<string, Followed>()
  readonly #streamsOf = new Map<string, number>()
  #streams = 0
  #timer: NodeJS.Timeout | undefined

  constructor(source: ProgressSource) {
    this.#source = source
  }

  /**
   * A stream of an action: its state now and after each change, until it ends.
   * @param action the action as it is now
   * @throws TooManyRequests when the caller or the process has as many streams as it may have
   */
  open({ id, caller, expires, isAllowed = () => true }: Subscription, action: Json): Readable {
    this.#count(caller)
    const stream = new Readable({ read() {} })
    const expiry = expires === undefined ? undefined : setTimeout(() => stop(), untilExpiry(expires)).unref()
    const stop = () => {
      clearTimeout(expiry)
      stream.push(null)
    }
    const subscriber = { stream, latest: undefined, idleSince: Date.now(), isAllowed, stop }
    stream.once('close', () => {
      clearTimeout(expiry)
      this.#release(caller)
      this.#unfollow(id, subscriber)
    })
    stream.push('retry: 2000\n\n')
    send(subscriber, action)
    if (!hasEnded(action)) this.#follow(id, subscriber)
    return stream
  }

  /** Ends the streams of callers whose access has ended. */
  endForbidden(): void {
    for (const { subscribers } of this.#followed.values())
      for (const { isAllowed, stop } of subscribers) if (!isAllowed()) stop()
  }

  /** Ends all streams. */
  close(): void {
    clearTimeout(this.#timer)
    for (const { subscribers } of this.#followed.values()) for (const { stop } of subscribers) stop()
    this.#followed.clear()
  }

  #count(caller: string): void {
    const own = this.#streamsOf.get(caller) ?? 0
    if (own >= MAX_STREAMS_PER_USER)
      throw new TooManyRequests(
        `You have ${own} event streams open, the most a user may have. Close one first.`,
      )
    if (this.#streams >= MAX_STREAMS)
      throw new TooManyRequests(
        `${MAX_STREAMS} event streams are open, the most that one process serves. Try again later.`,
      )
    this.#streamsOf.set(caller, own + 1)
    this.#streams += 1
  }

  #release(caller: string): void {
    const left = (this.#streamsOf.get(caller) ?? 1) - 1
    if (left === 0) this.#streamsOf.delete(caller)
    else this.#streamsOf.set(caller, left)
    this.#streams -= 1
  }

  #follow(id: string, subscriber: Subscriber): void {
    const followed = this.#followed.get(id) ?? { version: undefined, subscribers: new Set() }
    followed.subscribers.add(subscriber)
    this.#followed.set(id, followed)
    this.#schedule()
  }

  #unfollow(id: string, subscriber: Subscriber): void {
    const followed = this.#followed.get(id)
    followed?.subscribers.delete(subscriber)
    if (followed?.subscribers.size === 0) this.#followed.delete(id)
  }

  #schedule(): void {
    this.#timer ??= setTimeout(async () => {
      // While the database is down, streams stay open and wait.
      await this.#poll().catch(() => {})
      this.#timer = undefined
      if (this.#followed.size > 0) this.#schedule()
    }, POLL_INTERVAL_MS).unref()
  }

  async #poll(): Promise<void> {
    const ids = [...this.#followed.keys()]
    if (ids.length === 0) return
    const versions = await this.#source.readVersions(ids)
    const changed = ids.filter((id) => versions.get(id) !== this.#followed.get(id)?.version)
    const actions = changed.length > 0 ? await this.#source.readActions(changed) : new Map<string, Json>()
    for (const id of changed) this.#publish(id, versions.get(id), actions.get(id))
    this.#keepAlive()
  }

  #publish(id: string, version: string | undefined, action: Json | undefined): void {
    const followed = this.#followed.get(id)
    if (!followed) return
    followed.version = version
    for (const subscriber of followed.subscribers) {
      if (action === undefined) subscriber.stop()
      else send(subscriber, action)
    }
    if (action === undefined || hasEnded(action)) this.#followed.delete(id)
  }

  #keepAlive(): void {
    const now = Date.now()
    for (const { subscribers } of this.#followed.values())
      for (const subscriber of subscribers) {
        if (now - subscriber.idleSince < KEEP_ALIVE_INTERVAL_MS) continue
        subscriber.idleSince = now
        subscriber.stream.push(': keep-alive\n\n')
      }
  }
}

const untilExpiry = (expires: number): number =>
  Math.min(MAX_TIMEOUT_MS, Math.max(0, expires * 1000 - Date.now()))

const hasEnded = (action: Json): boolean =>
  FINAL_STATUSES.includes((JSON.parse(action) as { status: (typeof FINAL_STATUSES)[number] }).status)

function send(subscriber: Subscriber, action: Json): void {
  const { stream, stop } = subscriber
  if (action === subscriber.latest) return
  subscriber.latest = action
  subscriber.idleSince = Date.now()
  const isEnd = hasEnded(action)
  if (isEnd || stream.readableLength < MAX_BUFFERED_BYTES) stream.push(`event: progress\ndata: ${action}\n\n`)
  if (!isEnd) return
  stream.push(`event: end\ndata: ${action}\n\n`)
  stop()
}
