/**
 * `node dev/run-tests.ts 'src/**\/*.test.ts'`: runs test files, several per process, because loading the service's
 * modules takes longer than most files. `node --test FILE` runs one file alone.
 *
 * With TEST_QUICK, leaves out files `*.slow.test.ts`, and if a server gets all the others (TEST_ALSO_ON), on the embedded
 * database all but BOTH_DATABASES and unit tests. `src/testing/slow.ts` skips slow tests in other files.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/**
 * For two cores: tests spend part of their time waiting. Browser tests set two, because each also keeps a browser and a
 * service busy, and late answers are not what they test.
 */
const PROCESSES = Number(process.env.TEST_PROCESSES ?? 4)
/** Then another process takes over, so that none grows too large. Each loads and compiles everything again. */
const FILES_PER_PROCESS = 24
/** On a machine that is several times slower than usual. */
const FILE_TIMEOUT_MS = 1_200_000
/** They take longest, in this order, so they begin first. */
const LONG_FILES = [
  'src/migrations/old-versions/version-86a96fe.slow',
  'src/migrations/old-versions/version-81c1a4e.slow',
  'src/migrations/old-versions/version-0a64061.slow',
  'src/worker/worker-interrupted.slow',
  'src/main',
  'src/shutdown.slow',
  'src/rolling-restart.slow',
  'src/features/backups/killed.slow',
  'src/silent-connections.slow',
  'src/worker/worker',
  'src/contract',
  'src/pgbouncer',
  'src/features/feedback/filing',
  'src/features/imports/real-files.slow',
  'src/features/privacy/privacy',
  'src/migrations/0036_normalized_text.slow',
  'src/features/undo/killed',
  'src/features/search/killed.slow',
  'src/features/feedback/killed.slow',
  'src/features/search/embedding-models',
  'src/platform/process/watchdog.unit.slow',
  'src/permissions',
  'src/features/imports/kinds-conflicts',
  'src/features/imports/shared-cases.slow',
  'src/cli/cli',
  'web/tests/layers.slow',
  'web/tests/screens',
  'web/tests/board',
  'web/tests/lists',
  'web/tests/keyboard',
  'web/tests/loading.slow',
  'web/tests/matches',
  'web/tests/questions.slow',
  'web/tests/errors.slow',
  'web/tests/access',
]
/** Subjects in which the embedded database and PostgreSQL can differ. */
const BOTH_DATABASES = [
  // Startup, outages, migrations, queues, and the contract.
  'src/{main,startup-error,contract}.test.ts',
  'src/{platform,migrations}/{,database/}*.test.ts',
  'src/cli/upgrade.test.ts',
  'src/worker/worker.test.ts',
  'src/features/backups/{backups,scheduled}.test.ts',
  // pgvector, and SQL that compares, sorts, and counts.
  'src/features/search/{search,vectors,vector-outages,embedding-*,pgvector,read-only}.test.ts',
  'src/features/companies/{list,selection}/*.test.ts',
  'src/features/files/texts.test.ts',
  // The ledger, and many rows in one statement.
  'src/features/undo/{killed,ledger,replay,undo,unfinished}.test.ts',
  'src/features/events/{trim,events,log}.test.ts',
  'src/features/fields/{delete-fields,field-indexes}.test.ts',
  'src/features/imports/import.test.ts',
]

const SHARED = path.resolve(import.meta.dirname, '..', 'src', 'testing', 'shared.ts')

/**
 * A module that runs the next file that no other process has claimed, until there is none. The hooks of a file apply to
 * its own tests only.
 */
const processModule = (files: string[], folder: string, ports: string) => `
import { mkdirSync } from 'node:fs'
import { after, describe } from 'node:test'
import { closeShared, keepShared } from ${JSON.stringify(SHARED)}

process.env.TEST_PORTS = ${JSON.stringify(ports)}
keepShared()
after(closeShared)

function claim(index) {
  try {
    mkdirSync(${JSON.stringify(folder)} + '/' + index)
    return true
  } catch {
    return false
  }
}

let claimed = 0
for (const [index, file] of ${JSON.stringify(files)}.entries()) {
  if (claimed === ${FILES_PER_PROCESS}) break
  if (!claim(index)) continue
  claimed += 1
  await new Promise((resolve) => {
    describe(file, { timeout: ${FILE_TIMEOUT_MS} }, async () => {
      after(resolve)
      await import(file)
    })
  })
}
`

/** The position of a file among the long ones, or after them. */
function positionOf(file: string): number {
  const position = LONG_FILES.findIndex((name) => file.endsWith(`/${name}.test.ts`))
  return position === -1 ? LONG_FILES.length : position
}

function isIncluded(file: string): boolean {
  if (!process.env.TEST_QUICK) return true
  if (file.endsWith('.slow.test.ts')) return false
  if (!process.env.TEST_ALSO_ON || file.endsWith('.unit.test.ts')) return true
  return BOTH_DATABASES.some((pattern) => path.matchesGlob(file, pattern))
}

const patterns = process.argv.slice(2)
const matching = await Array.fromAsync(glob(patterns))
const found = matching
  .filter(isIncluded)
  .map((file) => path.resolve(file))
  .sort()
if (found.length === 0) throw new Error(`No test file matches ${patterns.join(' ')}.`)
const files = found.toSorted((a, b) => positionOf(a) - positionOf(b))
const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-tests-'))
try {
  const count = Math.ceil(files.length / FILES_PER_PROCESS) + PROCESSES
  const modules = await Promise.all(
    Array.from({ length: count }, async (_value, index) => {
      const module = path.join(folder, `process-${index + 1}.mjs`)
      await writeFile(module, processModule(files, folder, `${index + 1}/${count}`))
      return module
    }),
  )
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      `--test-concurrency=${PROCESSES}`,
      `--test-timeout=${FILE_TIMEOUT_MS * FILES_PER_PROCESS}`,
      ...modules,
    ],
    { stdio: 'inherit' },
  )
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
