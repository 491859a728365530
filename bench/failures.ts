/** `npm run bench:failures`: attacks on a live service, and how well it serves others during each of them. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createPostgres } from '#src/testing/database.ts'
import { cannotMount, mountSmallDisk, type SmallDisk } from '#src/testing/small-disk.ts'
import { type Attack, AttackSkipped, type Target } from './failures/attack.ts'
import { bigValues } from './failures/big-values.ts'
import { bulkChanges } from './failures/bulk-changes.ts'
import { expensiveCsv } from './failures/csv.ts'
import { changeStreams, progressStreams } from './failures/event-streams.ts'
import { fullDisk } from './failures/full-disk.ts'
import { type ReaderFigures, readDuring } from './failures/readers.ts'
import { slowBodies } from './failures/slow-bodies.ts'
import { stuckLock } from './failures/stuck-lock.ts'
import { load } from './load.ts'
import { startAttackedService } from './processes.ts'

/** In the order in which they run. */
const ATTACKS: Record<string, Attack> = {
  none: async () => {
    await sleep(BASELINE_MS)
    return 'for comparison'
  },
  'slow bodies': slowBodies,
  'event streams': changeStreams,
  'streams of a bulk action': progressStreams,
  'expensive CSV': expensiveCsv,
  'bulk changes': bulkChanges,
  'stuck lock': stuckLock,
  'full disk': fullDisk,
  // Last, because its companies stay on the first page.
  'big values': bigValues,
}

const WARM_UP_MS = 5000
const BASELINE_MS = 5000
const MAX_P99_MS = 250
const MAX_MEMORY_MB = 1024
const DISK_MB = 3000

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '20000' },
    /** One attack; without it, all of them. */
    attack: { type: 'string' },
  },
})

interface Row extends Partial<ReaderFigures> {
  database: string
  attack: string
  outcome: string
  isMissed: boolean
}

async function runAttack(database: string, name: string, attack: Attack, target: Target): Promise<Row> {
  const work = attack(target)
  const figures = await readDuring(target, work)
  try {
    const outcome = await work
    const { failures, p99, peakMemory } = figures
    const isKept = failures === 0 && p99 <= MAX_P99_MS && peakMemory <= MAX_MEMORY_MB
    return { database, attack: name, outcome, isMissed: !isKept, ...figures }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof AttackSkipped)
      return { database, attack: name, outcome: `skipped: ${message}`, isMissed: false }
    return { database, attack: name, outcome: message, isMissed: true, ...figures }
  }
}

/** Each attack in turn, on one service. */
async function attackAll(server: string | undefined): Promise<Row[]> {
  const disk: SmallDisk | undefined = cannotMount() ? undefined : mountSmallDisk(DISK_MB)
  const folder = disk?.folder ?? (await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-faults-')))
  const database = server ? await createPostgres(server) : undefined
  const place = { databaseUrl: database?.url, dataFolder: path.join(folder, 'data') }
  const rows: Row[] = []
  try {
    const companyIds = await load(place, Number(values.companies))
    const service = await startAttackedService(place)
    const target: Target = { ...service, databaseUrl: database?.url, companyIds, disk }
    try {
      await readDuring(target, sleep(WARM_UP_MS))
      for (const [name, attack] of Object.entries(ATTACKS))
        if (!values.attack || values.attack === name)
          rows.push(await runAttack(server ? 'PostgreSQL' : 'PGlite', name, attack, target))
    } finally {
      if (service.child.exitCode === null) await service.stop()
    }
  } finally {
    await database?.drop()
    if (disk) disk.unmount()
    else await rm(folder, { recursive: true, force: true })
  }
  return rows
}

function print(rows: Row[]): void {
  const number = (value: number | undefined) => (value === undefined ? '–' : Math.round(value))
  console.table(
    rows.map(({ database, attack, outcome, isMissed, requests, failures, p99, peakMemory }) => ({
      database,
      attack,
      outcome,
      requests: number(requests),
      failures: number(failures),
      [`p99 (≤ ${MAX_P99_MS} ms)`]: number(p99),
      [`memory (≤ ${MAX_MEMORY_MB} MB)`]: number(peakMemory),
      result: isMissed ? 'MISSED' : 'kept',
    })),
  )
}

const server = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL
const rows = await attackAll(undefined)
if (server) rows.push(...(await attackAll(server)))
print(rows)
process.exitCode = rows.some(({ isMissed }) => isMissed) ? 1 : 0
