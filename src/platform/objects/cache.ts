import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { withTimeout } from '#src/platform/process/with-timeout.ts'
import type { ObjectDescription, Objects } from './objects.ts'

interface StoredObject extends ObjectDescription {
  /** `undefined`: it is larger than `LARGE_BYTES`, and has to be opened. */
  body: Buffer | undefined
}

/** What is known of an object, with its bytes unless it is large. */
export interface CachedObject extends StoredObject {
  /** `modified` as HTTP writes it. */
  lastModified: string
  /** Whether the store did not answer when it was last asked if this is still its object. */
  isStale: boolean
}

/** A store of objects, of which what has been read lately is kept in memory. */
export interface CachingObjects extends Objects {
  /**
   * An object as it was at most `MAX_AGE_MS` ago; while the store is out of reach, up to a day ago.
   * A copy that is due for a check is returned at once, and checked in the background.
   * @returns null when there is none
   * @throws the store's error when it is out of reach and nothing is known of the object
   */
  cached(key: string): CachedObject | null | Promise<CachedObject | null>
  /** Drops the copy, so that the next caller reads the store. */
  forget(key: string): void
}

interface Entry {
  /** null: there is no such object. */
  object: CachedObject | null
  /** When the store last gave an answer. */
  checkedAt: number
  /** From this time a caller starts a check of the copy. */
  checkFrom: number
  /** From this time callers wait for the check. */
  waitFrom: number
}

const LARGE_BYTES = 1024 * 1024
const MAX_BYTES = 64 * 1024 * 1024
/** What an entry takes besides its bytes. */
const ENTRY_BYTES = 500
/** How long a copy is used without asking the store. */
const CHECK_INTERVAL_MS = 10_000
/** How old a copy may be while the store answers. */
export const MAX_AGE_MS = 20_000
/** Another process may be about to write what is not there. */
const ABSENCE_MAX_AGE_MS = 2000
/** How old a copy may be while the store does not answer. */
const MAX_STALE_MS = 24 * 60 * 60 * 1000
/** How long a store that failed is left alone. */
const RETRY_AFTER_MS = 5000
const CHECK_TIMEOUT_MS = 2000
/** Without a copy there is nothing to fall back on, so it takes longer to give up. */
const READ_TIMEOUT_MS = 20_000

/** @param now tells the time, in milliseconds */
export function cachingObjects(store: Objects, now = () => Date.now()): CachingObjects {
  const entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ object }) => ENTRY_BYTES + (object?.body?.length ?? 0),
  })
  const checks = new Map<string, Promise<Entry>>()

  const check = async (key: string, known: Entry | undefined): Promise<Entry> => {
    const checkedAt = now()
    try {
      const object = known?.object
        ? await withTimeout(CHECK_TIMEOUT_MS, readIfChanged(store, key, known.object))
        : await withTimeout(READ_TIMEOUT_MS, readSmall(store, key))
      return {
        object: object && { ...object, lastModified: object.modified.toUTCString(), isStale: false },
        checkedAt,
        checkFrom: checkedAt + (object ? CHECK_INTERVAL_MS : ABSENCE_MAX_AGE_MS),
        waitFrom: checkedAt + (object ? MAX_AGE_MS : ABSENCE_MAX_AGE_MS),
      }
    } catch (error) {
      if (!known?.object || checkedAt - known.checkedAt > MAX_STALE_MS) throw error
      const object = { ...known.object, isStale: true }
      return { ...known, object, checkFrom: now() + RETRY_AFTER_MS, waitFrom: now() + MAX_AGE_MS }
    }
  }

  /** Callers at the same time share one check. */
  const checkOnce = (key: string, known: Entry | undefined): Promise<Entry> => {
    const other = checks.get(key)
    if (other) return other
    const checked = check(key, known)
    checks.set(key, checked)
    // A write during the check removes it from the list, because it may have seen the former object.
    const isLatest = () => checks.get(key) === checked
    checked
      .then(
        (entry) => isLatest() && entries.set(key, entry),
        () => isLatest() && entries.delete(key),
      )
      .finally(() => isLatest() && checks.delete(key))
    return checked
  }

  const forget = (key: string) => {
    entries.delete(key)
    checks.delete(key)
  }

  return {
    read: (key) => store.read(key),
    describe: (key) => store.describe(key),
    open: (key, range) => store.open(key, range),
    cached: (key) => {
      const known = entries.get(key)
      const time = now()
      if (known && time < known.checkFrom) return known.object
      const checked = checkOnce(key, known)
      return known && time < known.waitFrom ? known.object : checked.then(({ object }) => object)
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

async function readIfChanged(store: Objects, key: string, known: StoredObject): Promise<StoredObject | null> {
  const description = await store.describe(key)
  return description?.etag === known.etag ? known : readSmall(store, key)
}

async function readSmall(store: Objects, key: string): Promise<StoredObject | null> {
  const opened = await store.open(key)
  if (!opened) return null
  const { body, ...description } = opened
  if (description.size <= LARGE_BYTES) return { ...description, body: await buffer(body) }
  body.destroy()
  return { ...description, body: undefined }
}
