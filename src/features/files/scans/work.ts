import type { Logger } from 'pino'
import type { DatabaseWrites } from '#src/platform/database/writes.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import type { VirusScanner } from '#src/platform/virus-scan/virus-scanner.ts'
import { type ScanParts, scanFiles } from './scan.ts'
import { cancelScans, countWaiting } from './store.ts'

const INTERVAL_MS = 1000
/** Files that wait for a scanner are scanned at most this long after it is back. */
const MAX_BACKOFF_MS = 30_000
const COUNT_INTERVAL_MS = 5000
/** A large file does not hold up small ones. */
const SCANS_AT_ONCE = 2

/** What waits for the scanner. */
export interface FileScanStatus {
  /** Versions of files that cannot be read before they are scanned. */
  waiting: number
}

interface WorkParts extends Omit<ScanParts, 'scanner'> {
  /** undefined: files are not scanned. */
  scanner: VirusScanner | undefined
  /** Is updated. */
  status: FileScanStatus
  writes: DatabaseWrites
}

/**
 * Starts to scan files. Any number of processes may do so. Without a scanner, what waited for one becomes readable.
 * @returns a function that stops; scans that are running begin again later
 */
export function startFileScans({ db, objects, scanner, status, log, writes }: WorkParts): () => unknown {
  if (!scanner) return startOnce(() => cancelScans(db), log)
  const scan = () =>
    writes.skipUntilWritten((stopped: AbortSignal) => scanFiles({ db, objects, scanner, log }, stopped))
  const count = writes.skipUntilWritten(async () => {
    status.waiting = await countWaiting(db)
  })
  const stops = [
    ...Array.from({ length: SCANS_AT_ONCE }, () => repeat(scan(), INTERVAL_MS, log, MAX_BACKOFF_MS)),
    repeat(count, COUNT_INTERVAL_MS, log),
  ]
  return () => Promise.all(stops.map((stop) => stop()))
}

/** Runs a task until it has succeeded once. It must not run later: another process may have a scanner by then. */
function startOnce(task: () => Promise<void>, log: Logger): () => unknown {
  const stop = repeat(
    async () => {
      await task()
      void stop()
    },
    1,
    log,
  )
  return stop
}

/** What operators should know; undefined: all is well. */
export function scanWarning(
  scanner: VirusScanner | undefined,
  { waiting }: FileScanStatus,
): string | undefined {
  const problem = scanner?.problem()
  if (problem === undefined || waiting === 0) return problem
  return `${problem} ${waiting === 1 ? '1 version of a file waits' : `${waiting} versions of files wait`} for it.`
}
