/**
 * `node dev/run-tests.ts 'src/**\/*.test.ts'`: runs test files, several per process, because loading the service's
 * modules takes longer than most files. `node --test FILE` runs one file alone.
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
const SLOW_FILES = [
  'src/main',
  'src/worker/worker',
  'src/worker/worker-interrupted',
  'src/contract',
  'src/shutdown',
  'src/fuzz',
  'src/features/feedback/filing',
  'src/features/privacy/privacy',
  'src/features/feedback/killed',
  'src/features/search/killed',
  'src/features/assets/assets',
  'src/features/undo/killed',
  'src/platform/process/watchdog.unit',
  'src/features/search/embedding-models',
  'src/features/search/vector-outages',
  'src/features/views/new-records',
  'src/cli/token',
  'web/tests/layers',
  'web/tests/screens',
  'web/tests/keyboard',
  'web/tests/board',
  'web/tests/errors',
  'web/tests/access',
  'web/tests/lists',
  'web/tests/live',
  'web/tests/ledger',
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

/** The place of a file among the slow ones, or after them. */
function positionOf(file: string): number {
  const position = SLOW_FILES.findIndex((name) => file.endsWith(`/${name}.test.ts`))
  return position === -1 ? SLOW_FILES.length : position
}

const patterns = process.argv.slice(2)
const found = (await Array.fromAsync(glob(patterns))).map((file) => path.resolve(file)).sort()
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
