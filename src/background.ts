import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './context.ts'
import { COUNTERS } from './counters.ts'
import { startBackups } from './features/backups/index.ts'
import { SHARED_HOSTS } from './features/companies/index.ts'
import { findDuplicates } from './features/duplicates/index.ts'
import { trimEvents } from './features/events/index.ts'
import { startFiling } from './features/feedback/index.ts'
import { maintainFieldIndexes, removeDeletedValues } from './features/fields/index.ts'
import { readFileTexts, startFileScans, sweepUploads } from './features/files/index.ts'
import { interruptAbandonedImports, isImporting } from './features/imports/index.ts'
import { startLogos } from './features/logos/index.ts'
import { startMail } from './features/mail/index.ts'
import { startNotifications, startReminders } from './features/notifications/index.ts'
import { embedActive, embedConfigured, indexChangedCompanies, initialSpeed } from './features/search/index.ts'
import { deleteExpiredSessions } from './features/sessions/index.ts'
import { hourlyPurge } from './features/trash/index.ts'
import { continueUndos, revertStalled } from './features/undo/index.ts'
import { RECORD_KINDS } from './kinds.ts'
import { migrations } from './migrations/migrations.ts'
import { checkpoint } from './platform/database/checkpoint.ts'
import { foldCounters } from './platform/database/counters.ts'
import { protectFromFullDisk } from './platform/database/full-disk.ts'
import { deleteExpiredKeys } from './platform/database/idempotency-keys.ts'
import { endIfTooNew } from './platform/database/newer-schema.ts'
import { sealing } from './platform/encryption/sealing.ts'
import { repeat } from './platform/process/repeat.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'
import { createHandlers } from './worker/handlers.ts'
import { startWorker } from './worker/worker.ts'

/** Together with the time of a reading, revocations and changes of custom fields take effect within a second. */
const ACCESS_INTERVAL_MS = 400
const MAX_ACCESS_INTERVAL_MS = 1000
/** No other process changes the embedded database, and this one applies its own changes immediately. */
const EMBEDDED_ACCESS_INTERVAL_MS = 1000
const USES_INTERVAL_MS = 5000
const SESSION_CLEANUP_INTERVAL_MS = 3600_000
const FOLD_INTERVAL_MS = 1000
const EVENT_LOG_INTERVAL_MS = 60_000
const INDEX_INTERVAL_MS = 1000
const DUPLICATES_INTERVAL_MS = 1000
const UNDO_INTERVAL_MS = 5000
const KEY_CLEANUP_INTERVAL_MS = 3_600_000
const PURGE_CHECK_INTERVAL_MS = 10_000
const SCHEMA_CHECK_INTERVAL_MS = 2000
const IMPORT_CHECK_INTERVAL_MS = 10_000
const FIELD_INTERVAL_MS = 2000
const FILE_TEXT_INTERVAL_MS = 1000
const SEALING_INTERVAL_MS = 10_000
const SWEEP_INTERVAL_MS = 60_000
const DISK_CHECK_INTERVAL_MS = 1000
const CHECKPOINT_INTERVAL_MS = 2000
const DEPENDENCY_CHECK_INTERVAL_MS = 30_000
/** Closing the database cuts off what takes longer. Stopping the service takes at most 10 seconds. */
const STOP_TIMEOUT_MS = 7000

/** Starts work and returns a function that stops it. */
type Start = (context: Context, address: string) => () => unknown

const noop = () => {}

/** All background work, in the order in which it starts. */
const WORK = {
  disk: startDiskCheck,
  access: startAccess,
  counters: (context) =>
    repeatAfterWrites(context, () => foldCounters(context.backgroundDb, COUNTERS), FOLD_INTERVAL_MS),
  events: ({ backgroundDb, log }) => repeat(() => trimEvents(backgroundDb), EVENT_LOG_INTERVAL_MS, log),
  words: startWords,
  vectors: startVectors,
  duplicates: (context) =>
    repeatAfterWrites(
      context,
      (stopped) => findDuplicates(context.backgroundDb, stopped),
      DUPLICATES_INTERVAL_MS,
    ),
  idempotency: ({ backgroundDb, log }) =>
    repeat(() => deleteExpiredKeys(backgroundDb), KEY_CLEANUP_INTERVAL_MS, log),
  undos: (context) => {
    const parts = { db: context.backgroundDb, maxBatchMs: context.maxBatchMs, kinds: RECORD_KINDS }
    return repeatAfterWrites(
      context,
      async (stopped) => {
        // One that cannot be undone now does not keep the others.
        await revertStalled(parts, stopped).finally(() => continueUndos(parts, stopped))
      },
      UNDO_INTERVAL_MS,
    )
  },
  trash: ({ backgroundDb: db, objects, refusedDeletions, config, log }) =>
    repeat(
      hourlyPurge({ db, objects, kinds: RECORD_KINDS }, config.trashDays, refusedDeletions, log),
      PURGE_CHECK_INTERVAL_MS,
      log,
    ),
  checkpoints: startCheckpoints,
  fieldIndexes: (context) =>
    repeatAfterWrites(
      context,
      (stopped) => maintainFieldIndexes(context.backgroundDb, stopped, isImporting),
      FIELD_INTERVAL_MS,
    ),
  fieldValues: (context) => {
    const parts = { db: context.backgroundDb, maxBatchMs: context.maxBatchMs }
    return repeatAfterWrites(context, (stopped) => removeDeletedValues(parts, stopped), FIELD_INTERVAL_MS)
  },
  // Only a shared database is upgraded by other processes.
  schema: ({ config, log, probeDb, schemaRefusal }) =>
    config.databaseUrl
      ? repeat(() => endIfTooNew(probeDb, migrations, log, schemaRefusal), SCHEMA_CHECK_INTERVAL_MS, log)
      : noop,
  imports: ({ backgroundDb, log }) =>
    repeat(() => interruptAbandonedImports(backgroundDb), IMPORT_CHECK_INTERVAL_MS, log),
  secrets: ({ backgroundDb: db, keyring, log }) =>
    repeat(sealing({ db, keyring, log }, SEALED_COLUMNS), SEALING_INTERVAL_MS, log),
  fileTexts: (context) => {
    const { backgroundDb: db, objects, uploads } = context
    const read = (stopped: AbortSignal) => readFileTexts({ db, objects, uploads }, stopped)
    return repeatAfterWrites(context, read, FILE_TEXT_INTERVAL_MS)
  },
  uploads: ({ backgroundDb: db, objects, log }) =>
    repeat((stopped) => sweepUploads({ db, objects }, stopped), SWEEP_INTERVAL_MS, log, SWEEP_INTERVAL_MS),
  backups: startBackups,
  logos: ({ backgroundDb: db, config, log, writes }) =>
    startLogos({ db, log, writes, isOff: config.logos === 'off', sharedHosts: SHARED_HOSTS }),
  notifications: startNotifications,
  reminders: startReminders,
  fileScans: ({ backgroundDb: db, objects, virusScanner, fileScanStatus, log, writes }) =>
    startFileScans({ db, objects, scanner: virusScanner, status: fileScanStatus, log, writes }),
  feedback: startFiling,
  mail: startMail,
  worker: startIncludedWorker,
  dependencies: startDependencyChecks,
} satisfies Record<string, Start>

export type BackgroundWork = keyof typeof WORK
const ALL = Object.keys(WORK) as BackgroundWork[]

/**
 * Starts the background work.
 * @param address the service's own URL, which the included worker calls
 * @returns a function that stops the work and waits for it, for 7 seconds at most
 */
export function startBackground(
  context: Context,
  address: string,
  names: readonly BackgroundWork[] = ALL,
): () => Promise<void> {
  const stops = names.map((name) => (WORK[name] as Start)(context, address))
  return async () => {
    const stopped = Promise.all(stops.map((stop) => stop())).then(() => true)
    const late = sleep(STOP_TIMEOUT_MS, false, { ref: false })
    if (!(await Promise.race([stopped, late]))) context.log.warn('background work is cut off')
  }
}

/** Repeats work that waits for writes. While nothing is written, it runs only every 10 seconds. */
function repeatAfterWrites(
  { writes, log }: Context,
  task: (stopped: AbortSignal) => Promise<void>,
  pause: number,
): () => Promise<void> {
  return repeat(writes.skipUntilWritten(task), pause, log)
}

function startDiskCheck({ backgroundDb, disks, log }: Context): () => unknown {
  return disks.database
    ? repeat(protectFromFullDisk(backgroundDb, disks.database, log), DISK_CHECK_INTERVAL_MS, log)
    : noop
}

function startCheckpoints(context: Context): () => unknown {
  const {
    backgroundDb,
    disks: { database: disk },
  } = context
  if (!disk) return noop
  const run = async () => {
    if (!disk.problem()) await checkpoint(backgroundDb)
  }
  return repeatAfterWrites(context, run, CHECKPOINT_INTERVAL_MS)
}

/** Also looks for the writes that other work waits for. */
function startAccess(context: Context): () => unknown {
  const { access, backgroundDb, config, customFields, flushUses, log, writes } = context
  const interval = config.databaseUrl ? ACCESS_INTERVAL_MS : EMBEDDED_ACCESS_INTERVAL_MS
  const refresh = writes.skipUntilWritten(() => Promise.all([access.refresh(), customFields.refresh()]))
  const refreshAfterWrites = async () => {
    await writes.refresh()
    await refresh()
  }
  const stops = [
    repeat(refreshAfterWrites, interval, log, MAX_ACCESS_INTERVAL_MS),
    repeat(flushUses, USES_INTERVAL_MS, log),
    repeat(() => deleteExpiredSessions(backgroundDb), SESSION_CLEANUP_INTERVAL_MS, log),
  ]
  return () => Promise.all(stops.map((stop) => stop()))
}

function startWords(context: Context): () => unknown {
  const { backgroundDb, indexes } = context
  if (!indexes) return noop
  const index = (stopped: AbortSignal) => indexChangedCompanies(backgroundDb, indexes.lexicalIndex, stopped)
  return repeatAfterWrites(context, index, INDEX_INTERVAL_MS)
}

function startVectors(context: Context): () => unknown {
  const { config, backgroundDb, embedder, indexes, log } = context
  if (!indexes?.vectors || !embedder) return noop
  const isAlone = config.databaseUrl === undefined
  const work = {
    db: backgroundDb,
    models: indexes.vectors.models,
    embedder,
    ...initialSpeed(),
    log,
    isAlone,
    maxVectors: config.embeddings.maxVectors,
  }
  const stops = [embedConfigured, embedActive].map((embed) =>
    repeatAfterWrites(context, (stopped) => embed(work, stopped), INDEX_INTERVAL_MS),
  )
  return () => Promise.all(stops.map((stop) => stop()))
}

/** Runs the worker in this process. It uses the HTTP API, like a separate worker. */
function startIncludedWorker(
  { bulkQueues, config, embedder, log, sessions }: Context,
  address: string,
): () => unknown {
  if (config.worker.kind !== 'in-process') return noop
  return startWorker({
    baseUrl: address,
    sessions,
    queues: bulkQueues,
    handlers: createHandlers(config, embedder, log),
    concurrency: config.worker.concurrency,
    log,
  })
}

/** Checks regularly, so that the log reports problems even if nothing requests /readyz. */
function startDependencyChecks({ dependencyCheck }: Context): () => unknown {
  void dependencyCheck()
  const timer = setInterval(dependencyCheck, DEPENDENCY_CHECK_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
