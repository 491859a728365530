/**
 * `node dev/run-tests.ts 'src/**\/*.test.ts'`: runs test files, several per process, because loading the service's
 * modules takes longer than most files. `node --test FILE` runs one file alone.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const GROUPS = 12
const CONCURRENT_GROUPS = 3
const FILE_TIMEOUT_MS = 300_000

/** A module that runs test files one after the other. Their hooks apply to their own tests only. */
const groupModule = (files: string[]) => `
import { after, describe } from 'node:test'
for (const file of ${JSON.stringify(files)})
  await new Promise((resolve) => {
    describe(file, { timeout: ${FILE_TIMEOUT_MS} }, async () => {
      after(resolve)
      await import(file)
    })
  })
`

const patterns = process.argv.slice(2)
const files = (await Array.fromAsync(glob(patterns))).map((file) => path.resolve(file)).sort()
if (files.length === 0) throw new Error(`No test file matches ${patterns.join(' ')}.`)
const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-tests-'))
try {
  const groups = await Promise.all(
    Array.from({ length: Math.min(GROUPS, files.length) }, async (_value, group) => {
      const module = path.join(folder, `${group}.mjs`)
      // Neighbors take about as long as each other, so they go to different groups.
      await writeFile(module, groupModule(files.filter((_file, index) => index % GROUPS === group)))
      return module
    }),
  )
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      `--test-concurrency=${CONCURRENT_GROUPS}`,
      `--test-timeout=${FILE_TIMEOUT_MS * files.length}`,
      ...groups,
    ],
    { stdio: 'inherit' },
  )
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
