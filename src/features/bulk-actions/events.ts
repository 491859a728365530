import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '#src/platform/database/sql.ts'
import { ENDED } from './schema.ts'

const LOOK_EVERY_MS = 500
/** Proxies give up on a connection that is silent for a minute. */
const SILENT_AT_MOST_MS = 15_000

/**
 * Server-sent events (WHATWG HTML, section 9.2) of an action, at once and at each change, until it has ended.
 * @param read gives the action
 */
export function progressEvents(read: () => Promise<Json | undefined>, stopped: AbortSignal): Readable {
  return Readable.from(events(read, stopped))
}

async function* events(read: () => Promise<Json | undefined>, stopped: AbortSignal): AsyncGenerator<string> {
  let former: Json | undefined
  let silentSince = Date.now()
  yield 'retry: 2000\n\n'
  while (!stopped.aborted) {
    const action = await read()
    if (action === undefined) return
    if (action !== former) {
      former = action
      silentSince = Date.now()
      yield `event: progress\ndata: ${action}\n\n`
    }
    const { status } = JSON.parse(action) as { status: string }
    if (ENDED.includes(status)) return void (yield `event: end\ndata: ${action}\n\n`)
    if (Date.now() - silentSince > SILENT_AT_MOST_MS) {
      silentSince = Date.now()
      yield ': still there\n\n'
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => {})
  }
}
