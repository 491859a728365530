import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Another process may use the folder too. */
const MAX_UNFINISHED_MS = 3_600_000

/** Creates a folder that only its owner can read, unless it exists. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/** Removes the files that a process that was killed has left in a folder. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const { mtimeMs = Date.now() } = (await stat(file).catch(nullIfGone)) ?? {}
    if (Date.now() - mtimeMs > MAX_UNFINISHED_MS) await rm(file, { force: true })
  }
}

const nullIfGone = (error: NodeJS.ErrnoException): null => {
  if (error.code !== 'ENOENT') throw error
  return null
}
