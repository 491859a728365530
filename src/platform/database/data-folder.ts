import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'

/** Thrown when another process has the folder open. */
export class DataFolderInUse extends Error {}

/**
 * Takes the folder for this process alone, until the returned function is called or the process ends.
 * The lock is SQLite's lock on a file in the folder: the operating system drops it with the process, however
 * that ends, so a dead holder's lock never has to be judged and taken over.
 * @throws DataFolderInUse naming the holder's process id
 */
export function lockDataFolder(folder: string): () => void {
  makePrivateFolder(folder)
  const holderFile = path.join(folder, 'holder.pid')
  const lock = new DatabaseSync(path.join(folder, 'lock.sqlite'))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    if (!/locked/.test((error as Error).message)) throw error
    throw new DataFolderInUse(
      `${folder} is in use by another running service (process ${readHolder(holderFile)}). ` +
        'Stop that one first, or set another DATA_DIR.',
    )
  }
  writeFileSync(holderFile, `${process.pid}\n`)
  return () => lock.close()
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
