/**
 * Plants duplicates among invented companies, scans them with the command line, and exits with 1 if a target is missed.
 * Runs on the server of TEST_DATABASE_URL, else on the embedded database, whose memory then counts.
 *
 * Usage: node bench/duplicates.ts [COMPANIES] [DUPLICATES]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { newCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { KINDS, plantDuplicates } from '#src/features/duplicates/planted.fixture.ts'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import { prepareDataFolder, testServer } from '#src/testing/database.ts'
import { createDatabase, templateOn } from '#src/testing/postgres.ts'

const BATCH_SIZE = 1000
const TARGETS = { precision: 0.95, recall: 0.9, seconds: 60, megabytes: 500 }
const COMMAND = ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', 'duplicates', 'scan']

const [total = 100_000, duplicates = 2000] = process.argv.slice(2).map(Number)
const { companies, kinds } = plantDuplicates(total, duplicates)
const ids = companies.map(() => newId('cmp'))
const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'bench-duplicates-'))
const postgres = testServer ? await createDatabase(testServer, await templateOn(testServer)) : undefined
try {
  await prepareDataFolder(dataFolder)
  await withDatabase(insertAll)
  const { seconds, megabytes } = await scan()
  const found = new Set(await withDatabase(readPairs))
  const correct = [...found].filter((pair) => kinds.has(pair)).length
  report({ precision: correct / found.size, recall: correct / kinds.size, seconds, megabytes }, found)
} finally {
  await postgres?.drop()
  rmSync(dataFolder, { recursive: true })
}

async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ databaseUrl: postgres?.url, dataFolder })
  return work(database.background).finally(() => database.close())
}

async function insertAll(db: Db): Promise<void> {
  for (let start = 0; start < total; start += BATCH_SIZE) {
    const batch = companies.slice(start, start + BATCH_SIZE)
    await insertCompanies(batch.map((fields, n) => newCompany(ids[start + n] as string, fields))).execute(db)
  }
}

/** Runs the scan in a process of its own. */
async function scan(): Promise<{ seconds: number; megabytes: number }> {
  const start = performance.now()
  const env = { ...process.env, DATABASE_URL: postgres?.url ?? '', DATA_DIR: dataFolder }
  const child = spawn(process.execPath, COMMAND, { env, stdio: 'inherit' })
  let kilobytes = 0
  const timer = setInterval(() => {
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    kilobytes = Number(peak ?? kilobytes)
  }, 100)
  const status = await new Promise((resolve) => child.once('exit', resolve))
  clearInterval(timer)
  if (status !== 0) throw new Error(`The scan ended with ${status}.`)
  return { seconds: (performance.now() - start) / 1000, megabytes: kilobytes / 1000 }
}

/** The pairs as `plantDuplicates` names them. */
async function readPairs(db: Db): Promise<string[]> {
  const index = new Map(ids.map((id, n) => [id, n]))
  const { rows } = await sql<{ older_id: string; newer_id: string }>`
    select older_id, newer_id from duplicates`.execute(db)
  return rows.map(({ older_id, newer_id }) => `${index.get(older_id)} ${index.get(newer_id)}`)
}

function report(figures: typeof TARGETS, found: ReadonlySet<string>): void {
  console.log(
    `${total} companies, ${duplicates} planted duplicates, on ${postgres ? 'PostgreSQL' : 'PGlite'}`,
  )
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(10)} ${value.toFixed(3)}`)
  for (const kind of KINDS) {
    const planted = [...kinds].filter((entry) => entry[1] === kind)
    const share = planted.filter(([pair]) => found.has(pair)).length / planted.length
    console.log(`  recall of "${kind}": ${share.toFixed(3)}`)
  }
  const isReached =
    figures.precision >= TARGETS.precision &&
    figures.recall >= TARGETS.recall &&
    figures.seconds <= TARGETS.seconds &&
    figures.megabytes <= TARGETS.megabytes
  if (!isReached) console.log(`A target is missed: ${JSON.stringify(TARGETS)}`)
  process.exitCode = isReached ? 0 : 1
}
