import type { Readable } from 'node:stream'
import type { Json } from '#src/platform/database/sql.ts'
import type { EventStream, EventStreams, Subscription } from '#src/platform/http/event-streams.ts'
import { FINAL_STATUSES } from './schema.ts'

const POLL_INTERVAL_MS = 500

export interface ProgressSource {
  /** When each of these actions last changed; actions that do not exist are missing. */
  readVersions(ids: string[]): Promise<Map<string, string>>
  /** The actions as the API shows them. */
  readActions(ids: string[]): Promise<Map<string, Json>>
}

interface Subscriber {
  stream: EventStream
  /** What it has been sent last. */
  latest: Json | undefined
}

interface Followed {
  version: string | undefined
  subscribers: Set<Subscriber>
}

/**
 * The progress of actions as server-sent events. All streams share one poll of the database, of at most two statements,
 * however many actions they follow.
 */
export class ProgressStreams {
  readonly #source: ProgressSource
  readonly #streams: EventStreams
  readonly #followed = new Map<string, Followed>()
  #timer: NodeJS.Timeout | undefined

  constructor(source: ProgressSource, streams: EventStreams) {
    this.#source = source
    this.#streams = streams
  }

  /**
   * A stream of an action: its state now and after each change, until it ends.
   * @param action the action as it is now
   * @throws TooManyRequests when the caller or the process has as many streams as it may have
   */
  open({ id, ...subscription }: Subscription & { id: string }, action: Json): Readable {
    const stream = this.#streams.open(subscription, () => this.#unfollow(id, subscriber))
    const subscriber: Subscriber = { stream, latest: undefined }
    send(subscriber, action)
    if (!hasEnded(action)) this.#follow(id, subscriber)
    return stream.body
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
  }

  #publish(id: string, version: string | undefined, action: Json | undefined): void {
    const followed = this.#followed.get(id)
    if (!followed) return
    followed.version = version
    for (const subscriber of followed.subscribers) {
      if (action === undefined) subscriber.stream.end()
      else send(subscriber, action)
    }
    if (action === undefined || hasEnded(action)) this.#followed.delete(id)
  }
}

const hasEnded = (action: Json): boolean =>
  FINAL_STATUSES.includes((JSON.parse(action) as { status: (typeof FINAL_STATUSES)[number] }).status)

/** A client that is behind misses progress, but never the end. */
function send(subscriber: Subscriber, action: Json): void {
  const { stream, latest } = subscriber
  if (action === latest) return
  subscriber.latest = action
  const isEnd = hasEnded(action)
  if (isEnd || !stream.isBehind) stream.send(`event: progress\ndata: ${action}\n\n`)
  if (!isEnd) return
  stream.send(`event: end\ndata: ${action}\n\n`)
  stream.end()
}
