import type { PGlite } from '@electric-sql/pglite'
import type { Database } from '#src/platform/database/database.ts'
import { databaseOf, openPglite } from '#src/platform/database/open.ts'
import { rewindable } from './rewind.ts'
import { embeddedArchive } from './template.ts'

interface Embedded {
  pglite: PGlite
  rewind(): Promise<boolean>
}

/** Each takes 200 MB. Few tests have more databases open at a time. */
const MAX_IDLE = 2
const idle: Embedded[] = []

/** PostgreSQL loads them when they are first used, which rewinding cannot undo. */
const LIBRARIES = ['plpgsql', 'dict_snowball', 'pg_trgm', 'unaccent', 'vector']

/** An embedded database in memory, empty and with the current schema: one that an earlier test closed, or a new one. */
export async function freshEmbedded(): Promise<Database> {
  const embedded = (await reuse()) ?? (await open())
  return databaseOf(lend(embedded))
}

async function reuse(): Promise<Embedded | undefined> {
  for (let embedded = idle.pop(); embedded; embedded = idle.pop()) {
    if (await embedded.rewind()) return embedded
    await embedded.pglite.close().catch(() => {})
  }
  return undefined
}

async function open(): Promise<Embedded> {
  const { pglite } = await openPglite(undefined, await embeddedArchive())
  letProcessEnd(pglite)
  for (const library of LIBRARIES) await pglite.exec(`load '${library}'`)
  return { pglite, rewind: await rewindable(pglite) }
}

/** After a statement, PostgreSQL sets timers of up to ten seconds. An idle database must not keep the process alive. */
function letProcessEnd(pglite: PGlite): void {
  const run = pglite.execProtocolRawSync.bind(pglite)
  pglite.execProtocolRawSync = (message) => {
    const { setTimeout } = globalThis
    globalThis.setTimeout = ((...timer: Parameters<typeof setTimeout>) =>
      setTimeout(...timer).unref()) as typeof setTimeout
    try {
      return run(message)
    } finally {
      globalThis.setTimeout = setTimeout
    }
  }
}

/** The PGlite until it is closed. Late statements are refused, because it may already serve another test. */
function lend(embedded: Embedded): PGlite {
  const { pglite } = embedded
  let closing = false
  let closed = false
  const close = async () => {
    if (closing) throw new Error('PGlite is closed')
    closing = true
    // Like PGlite's own: what was called before still runs.
    await pglite._runExclusiveTransaction(() =>
      pglite._runExclusiveQuery(async () => {
        closed = true
      }),
    )
    if (idle.length < MAX_IDLE) idle.push(embedded)
    else await pglite.close()
  }
  return new Proxy(pglite, {
    get(target, name) {
      if (name === 'close') return close
      if (name === 'closed') return closed
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return closed ? reject : value.bind(target)
    },
  })
}

const reject = async () => {
  throw new Error('PGlite is closed')
}
