import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const root = path.resolve(import.meta.dirname, '..', '..')
const cache = path.join(root, 'node_modules', '.cache', 'deal-pipeline-tests')
const LOCK_TIMEOUT_MS = 420_000
const MAX_AGE_MS = 24 * 3600 * 1000

/** A hash of the project files that match the patterns, without tests. */
export function hashOfFiles(patterns: string[]): string {
  const files = globSync(patterns, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  if (files.length === 0) throw new Error(`No file matches ${patterns}.`)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(path.join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** A read-only folder shared by all test processes. The first process that needs it fills it with `make`. */
export async function cachedFolder(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(cache, name)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const lock = new DatabaseSync(`${folder}.lock`, { timeout: LOCK_TIMEOUT_MS })
    try {
      lock.exec('begin exclusive')
      if (!existsSync(folder)) await makeFolder(folder, make)
    } finally {
      lock.close()
    }
  }
  const now = new Date()
  await utimes(folder, now, now)
  return folder
}

async function makeFolder(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  await removeUnused()
  const unfinished = await mkdtemp(`${folder}.unfinished-`)
  try {
    await make(unfinished)
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(cache)) {
    const used = (await stat(path.join(cache, name)).catch(() => undefined))?.mtimeMs ?? Date.now()
    if (Date.now() - used > MAX_AGE_MS) await rm(path.join(cache, name), { recursive: true, force: true })
  }
}
