import type { Readable } from 'node:stream'
import type { EventStream, EventStreams, Subscription } from '#src/platform/http/event-streams.ts'
import { isSnapshot } from './log.ts'
import type { LoggedEvents } from './store.ts'

/** With the time of a refetch, half of all changes are on other screens within half a second. */
const POLL_INTERVAL_MS = 250

/** Reads the changes since a snapshot; undefined: the latest. */
export type ReadEvents = (previous: string | undefined) => Promise<LoggedEvents>

interface Subscriber {
  stream: EventStream
  /** In lower case; undefined: unknown. */
  email: string | undefined
  /** What it must be sent after the changes from before it was opened; undefined: it has those. */
  held: string[] | undefined
}

/** What has changed, as server-sent events. All streams of the process share one poll of the database. */
export class ChangeStreams {
  readonly #read: ReadEvents
  readonly #streams: EventStreams
  readonly #subscribers = new Set<Subscriber>()
  /** The snapshot of the last poll. */
  #snapshot = ''
  /** Settles when the streams know from where to poll. */
  #start: Promise<void> | undefined

  constructor(read: ReadEvents, streams: EventStreams) {
    this.#read = read
    this.#streams = streams
  }

  /**
   * Opens a stream of all changes from now on, and before that those since `lastEventId`.
   * @throws TooManyRequests when the caller or the process has as many streams as it may have
   */
  async open({
    email,
    lastEventId,
    ...subscription
  }: Subscription & Pick<Subscriber, 'email'> & { lastEventId?: string }): Promise<Readable> {
    const stream = this.#streams.open(subscription, () => this.#subscribers.delete(subscriber))
    const subscriber: Subscriber = { stream, email, held: [] }
    this.#subscribers.add(subscriber)
    try {
      await this.#started()
      // Read after the poll has begun, so that no change lies between the two. Some may come twice.
      const isKnown = lastEventId === undefined || isSnapshot(lastEventId)
      const missed = await this.#read(isKnown ? lastEventId : undefined)
      stream.send(messageFor(subscriber, { ...missed, isComplete: missed.isComplete && isKnown }))
    } catch (error) {
      stream.body.destroy()
      throw error
    }
    for (const message of subscriber.held ?? []) stream.send(message)
    subscriber.held = undefined
    return stream.body
  }

  #started(): Promise<void> {
    this.#start ??= this.#read(undefined).then(
      ({ snapshot }) => {
        this.#snapshot = snapshot
        this.#schedule()
      },
      (error) => {
        this.#start = undefined
        throw error
      },
    )
    return this.#start
  }

  #schedule(): void {
    setTimeout(async () => {
      if (this.#subscribers.size === 0) {
        this.#start = undefined
        return
      }
      // While the database is down, streams stay open and wait.
      await this.#poll().catch(() => {})
      this.#schedule()
    }, POLL_INTERVAL_MS).unref()
  }

  async #poll(): Promise<void> {
    const read = await this.#read(this.#snapshot)
    this.#snapshot = read.snapshot
    if (read.isComplete && read.events.length === 0) return
    const readers = new Set(read.events.flatMap((event) => event.readers ?? []))
    const shared = messageFor({ email: undefined }, read)
    const hasShared = !read.isComplete || read.events.some((event) => event.readers === null)
    for (const subscriber of this.#subscribers) {
      const isReader = subscriber.email !== undefined && readers.has(subscriber.email)
      if (hasShared || isReader) deliver(subscriber, isReader ? messageFor(subscriber, read) : shared)
    }
  }
}

/** A client that is behind is disconnected, and resumes from its last event. */
function deliver({ stream, held }: Subscriber, message: string): void {
  if (held) held.push(message)
  else if (stream.isBehind) stream.cut()
  else stream.send(message)
}

function messageFor({ email }: Pick<Subscriber, 'email'>, read: LoggedEvents): string {
  if (!read.isComplete) return `id: ${read.snapshot}\nevent: reset\ndata: []\n\n`
  const events = read.events
    .filter(({ readers }) => readers === null || (email !== undefined && readers.includes(email)))
    .map(({ event }) => event)
  return `id: ${read.snapshot}\nevent: changes\ndata: ${JSON.stringify(events)}\n\n`
}
