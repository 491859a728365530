import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '#src/platform/database/sql.ts'
import { FINAL_STATUSES } from './schema.ts'

const POLL_INTERVAL_MS = 500
/** Proxies close connections that are idle for a minute. */
const KEEP_ALIVE_INTERVAL_MS = 15_000

/**
 * Server-sent events (WHATWG HTML, section 9.2) for an action: immediately and after each change, until it ends.
 * @param read reads the action
 */
export function progressEvents(read: () => Promise<Json | undefined>, stopped: AbortSignal): Readable {
  return Readable.from(events(read, stopped))
}

async function* events(read: () => Promise<Json | undefined>, stopped: AbortSignal): AsyncGenerator<string> {
  let former: Json | undefined
  let idleSince = Date.now()
  yield 'retry: 2000\n\n'
  while (!stopped.aborted) {
    const action = await read()
    if (action === undefined) return
    if (action !== former) {
      former = action
      idleSince = Date.now()
      yield `event: progress\ndata: ${action}\n\n`
    }
    const { status } = JSON.parse(action) as { status: string }
    if (FINAL_STATUSES.includes(status)) return void (yield `event: end\ndata: ${action}\n\n`)
    if (Date.now() - idleSince > KEEP_ALIVE_INTERVAL_MS) {
      idleSince = Date.now()
      yield ': keep-alive\n\n'
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal: stopped }).catch(() => {})
  }
}
