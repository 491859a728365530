import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ConcurrencyLimit } from '#src/platform/http/concurrency-limit.ts'
import { MAX_IMPORTS, MAX_IMPORTS_PER_USER } from './schema.ts'

/** When the service stops, imports may go on for this long. Their connections are closed two seconds later. */
const STOP_AFTER_MS = 4000
/** This long after that, the database is closed. */
const FINISH_TIMEOUT_MS = 2000

export interface RunningImports {
  limit: ConcurrencyLimit
  /** Aborted when imports have to end, because the service stops. */
  stopping: AbortSignal
}

/** The imports of this process. When it stops, those that are not done soon end, and write down how far they got. */
export function runningImports(app: FastifyInstance): RunningImports {
  const limit = new ConcurrencyLimit({
    perCaller: MAX_IMPORTS_PER_USER,
    perProcess: MAX_IMPORTS,
    noun: 'imports',
  })
  const stop = new AbortController()
  app.addHook('preClose', (done) => {
    setTimeout(() => stop.abort(), STOP_AFTER_MS).unref()
    done()
  })
  // By then, all connections are closed.
  app.addHook('onClose', async () => {
    await Promise.race([limit.finish(), sleep(FINISH_TIMEOUT_MS, undefined, { ref: false })])
  })
  return { limit, stopping: stop.signal }
}
