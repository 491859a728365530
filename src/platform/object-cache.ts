import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { ObjectDescription, Objects } from './objects.ts'

interface StoredObject extends ObjectDescription {
  /** `undefined`: it is larger than `LARGE`, and has to be opened. */
  body: Buffer | undefined
}

/** What is known of an object, with its bytes unless it is large. */
export interface CachedObject extends StoredObject {
  /** `modified` as HTTP writes it. */
  lastModified: string
  /** Whether the store could not be asked if it is still so. */
  isStale: boolean
}

/** A store of objects, of which what has been read lately is kept in memory. */
export interface CachingObjects extends Objects {
  /**
   * An object as it was a minute ago at most; while the store is out of reach, a day ago.
   * @returns null when there is none
   * @throws the store's error when it is out of reach and nothing is known of the object
   */
  cached(key: string): CachedObject | null | Promise<CachedObject | null>
  /** Has the store asked anew. */
  forget(key: string): void
}

interface Entry {
  /** null: there is no such object. */
  object: CachedObject | null
  checkedAt: number
  /** Until when the store, which has failed, is not asked again. */
  restUntil: number
}

const LARGE = 1024 * 1024
const MOST_BYTES = 64 * 1024 * 1024
/** What an entry takes besides its bytes. */
const ENTRY_BYTES = 500
const FRESH_MS = 60_000
/** Another process may be about to write what is not there. */
const FRESH_ABSENCE_MS = 2000
const LONGEST_STALE_MS = 24 * 60 * 60 * 1000
const REST_MS = 5000
const LONGEST_LOOK_MS = 2000
/** Who has no copy waits longer. */
const LONGEST_READ_MS = 20_000

/** @param now tells the time, in milliseconds */
export function cachingObjects(store: Objects, now = () => Date.now()): CachingObjects {
  const entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ object }) => ENTRY_BYTES + (object?.body?.length ?? 0),
  })
  const looking = new Map<string, Promise<Entry>>()

  const isFresh = ({ object, checkedAt, restUntil }: Entry) =>
    now() < restUntil || now() - checkedAt < (object ? FRESH_MS : FRESH_ABSENCE_MS)

  const look = async (key: string, known: Entry | undefined): Promise<Entry> => {
    const checkedAt = now()
    try {
      const object = known?.object
        ? await within(LONGEST_LOOK_MS, lookAgain(store, key, known.object))
        : await within(LONGEST_READ_MS, readSmall(store, key))
      return {
        object: object && { ...object, lastModified: object.modified.toUTCString(), isStale: false },
        checkedAt,
        restUntil: 0,
      }
    } catch (error) {
      if (!known?.object || checkedAt - known.checkedAt > LONGEST_STALE_MS) throw error
      return { ...known, object: { ...known.object, isStale: true }, restUntil: now() + REST_MS }
    }
  }

  /** One look for all who ask meanwhile. */
  const lookOnce = (key: string, known: Entry | undefined): Promise<Entry> => {
    const other = looking.get(key)
    if (other) return other
    const looked = look(key, known)
    looking.set(key, looked)
    // What has been written meanwhile has taken this look off the list: it may have seen the former object.
    const isLatest = () => looking.get(key) === looked
    looked
      .then((entry) => isLatest() && entries.set(key, entry))
      .catch(() => {})
      .finally(() => isLatest() && looking.delete(key))
    return looked
  }

  const forget = (key: string) => {
    entries.delete(key)
    looking.delete(key)
  }

  return {
    read: (key) => store.read(key),
    describe: (key) => store.describe(key),
    open: (key, range) => store.open(key, range),
    cached: (key) => {
      const known = entries.get(key)
      return known && isFresh(known) ? known.object : lookOnce(key, known).then(({ object }) => object)
    },
    forget,
    write: async (objects) => {
      const keys: string[] = []
      const noted = function* (): Generator<[string, string | Buffer]> {
        for (const object of objects) {
          keys.push(object[0])
          yield object
        }
      }
      await store.write(noted()).finally(() => keys.forEach(forget))
    },
  }
}

async function lookAgain(store: Objects, key: string, known: StoredObject): Promise<StoredObject | null> {
  const description = await store.describe(key)
  return description?.etag === known.etag ? known : readSmall(store, key)
}

/** Nobody waits for ever for a store that hangs. Nothing that was read is held by the time that is left. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: tooSlow, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The store did not answer in time.')), milliseconds)
  timer.unref()
  try {
    return await Promise.race([work, tooSlow])
  } finally {
    clearTimeout(timer)
  }
}

async function readSmall(store: Objects, key: string): Promise<StoredObject | null> {
  const opened = await store.open(key)
  if (!opened) return null
  const { body, ...description } = opened
  if (description.size <= LARGE) return { ...description, body: await buffer(body) }
  body.destroy()
  return { ...description, body: undefined }
}
