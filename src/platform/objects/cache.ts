import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { withTimeout } from '#src/platform/process/with-timeout.ts'
import type { ObjectDescription, Objects } from './objects.ts'

interface StoredObject extends ObjectDescription {
  /** `undefined` if the object is larger than `LARGE_BYTES`; use `open` then. */
  body: Buffer | undefined
}

/** An object's description, with its content unless it is large. */
export interface CachedObject extends StoredObject {
  /** `modified` as an HTTP date. */
  lastModified: string
  /** Whether the store was unreachable at the last check. */
  isStale: boolean
}

/** An object store with an in-memory cache of recently read objects. */
export interface CachingObjects extends Objects {
  /**
   * Returns an object that is at most `MAX_AGE_MS` old, or up to a day old while the store is unreachable. A cached
   * copy that needs a check is returned immediately and checked in the background.
   * @returns null if the object does not exist
   * @throws the store's error if the store is unreachable and no copy is cached
   */
  cached(key: string): CachedObject | null | Promise<CachedObject | null>
  /** Evicts the copy; the next caller reads the store. */
  forget(key: string): void
}

interface Entry {
  /** null if the object does not exist. */
  object: CachedObject | null
  /** When the store last answered. */
  checkedAt: number
  /** When a call starts a background check. */
  checkAt: number
  /** When calls start to wait for the check. */
  waitAt: number
}

const LARGE_BYTES = 1024 * 1024
const MAX_BYTES = 64 * 1024 * 1024
/** The approximate size of an entry without its content. */
const ENTRY_BYTES = 500
/** How long a copy is served without checking the store. */
const CHECK_INTERVAL_MS = 10_000
/** How old a copy may be while the store answers. */
export const MAX_AGE_MS = 20_000
/** Short, because another process may be about to write the missing object. */
const ABSENCE_MAX_AGE_MS = 2000
/** How old a copy may be while the store does not answer. */
const MAX_STALE_MS = 24 * 60 * 60 * 1000
/** How long to wait before checking a failed store again. */
const RETRY_AFTER_MS = 5000
const CHECK_TIMEOUT_MS = 2000
/** Longer than a check, because there is no copy to fall back on. */
const READ_TIMEOUT_MS = 20_000

/** @param now the clock, in milliseconds */
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
        checkAt: checkedAt + (object ? CHECK_INTERVAL_MS : ABSENCE_MAX_AGE_MS),
        waitAt: checkedAt + (object ? MAX_AGE_MS : ABSENCE_MAX_AGE_MS),
      }
    } catch (error) {
      if (!known?.object || checkedAt - known.checkedAt > MAX_STALE_MS) throw error
      const object = { ...known.object, isStale: true }
      return { ...known, object, checkAt: now() + RETRY_AFTER_MS, waitAt: now() + MAX_AGE_MS }
    }
  }

  /** Concurrent callers share one check. */
  const checkOnce = (key: string, known: Entry | undefined): Promise<Entry> => {
    const other = checks.get(key)
    if (other) return other
    const checked = check(key, known)
    checks.set(key, checked)
    // A write removes the running check, because the check may have seen the previous object.
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
      if (known && time < known.checkAt) return known.object
      const checked = checkOnce(key, known)
      return known && time < known.waitAt ? known.object : checked.then(({ object }) => object)
    },
    forget,
    list: () => store.list(),
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
    writeFile: (key, file) => store.writeFile(key, file).finally(() => forget(key)),
    delete: async (objects) => {
      const keys = [...objects]
      await store.delete(keys).finally(() => keys.forEach(forget))
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
