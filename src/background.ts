import type { Context } from './context.ts'
import { COUNTERS } from './counters.ts'
import { startFiling } from './features/feedback/filing.ts'
import { defaultBatchSize, embedAnswering, embedConfigured } from './features/search/vectors/embed-pending.ts'
import { indexChangedCompanies } from './features/search/words/index-changed.ts'
import { foldCounters } from './platform/database/counters.ts'
import { repeat } from './platform/process/repeat.ts'
import { createHandlers } from './worker/handlers.ts'
import { startWorker } from './worker/worker.ts'

const FOLD_INTERVAL_MS = 1000
const INDEX_INTERVAL_MS = 1000
const DEPENDENCY_CHECK_INTERVAL_MS = 30_000

/** Starts work and returns what stops it. */
type Start = (context: Context, address: string) => () => unknown

/** Everything that runs beside the requests, in the order in which it starts. */
const WORK = {
  counters: ({ backgroundDb, log }) =>
    repeat(() => foldCounters(backgroundDb, COUNTERS), FOLD_INTERVAL_MS, log),
  words: startWords,
  vectors: startVectors,
  feedback: startFiling,
  worker: startIncludedWorker,
  dependencies: startDependencyChecks,
} satisfies Record<string, Start>

export type BackgroundWork = keyof typeof WORK
const ALL = Object.keys(WORK) as BackgroundWork[]

/**
 * Starts the work that runs beside the requests.
 * @param address where the service answers; the included worker calls it there
 * @returns stops the work, and waits for it
 */
export function startBackground(
  context: Context,
  address: string,
  names: readonly BackgroundWork[] = ALL,
): () => Promise<void> {
  const stops = names.map((name) => (WORK[name] as Start)(context, address))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

const nothing = () => {}

function startWords({ backgroundDb, indexes, log }: Context): () => unknown {
  if (!indexes) return nothing
  const index = (stopped: AbortSignal) => indexChangedCompanies(backgroundDb, indexes.lexicalIndex, stopped)
  return repeat(index, INDEX_INTERVAL_MS, log)
}

function startVectors({ config, backgroundDb, embedder, indexes, log }: Context): () => unknown {
  if (!indexes?.vectors || !embedder) return nothing
  const isAlone = config.databaseUrl === undefined
  const work = {
    db: backgroundDb,
    models: indexes.vectors.models,
    embedder,
    batchSize: defaultBatchSize(),
    log,
    isAlone,
  }
  const stopConfigured = repeat((stopped) => embedConfigured(work, stopped), INDEX_INTERVAL_MS, log)
  const stopAnswering = repeat((stopped) => embedAnswering(work, stopped), INDEX_INTERVAL_MS, log)
  return () => Promise.all([stopConfigured(), stopAnswering()])
}

/** The worker in the service's own process; like any other it goes through the HTTP API. */
function startIncludedWorker({ bulkQueues, config, log, sessions }: Context, address: string): () => unknown {
  if (config.worker.kind !== 'in-process') return nothing
  return startWorker({
    baseUrl: address,
    sessions,
    queues: bulkQueues,
    handlers: createHandlers(config),
    concurrency: config.worker.concurrency,
    log,
  })
}

/** The log says what is wrong with the tracker or object storage, even if nothing asks /readyz. */
function startDependencyChecks({ dependencyCheck }: Context): () => unknown {
  void dependencyCheck()
  const timer = setInterval(dependencyCheck, DEPENDENCY_CHECK_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
