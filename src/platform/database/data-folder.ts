import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'

/** Thrown when another process has the folder open. */
export class DataFolderInUse extends Error {}

/** Thrown when files of the embedded database are damaged. */
export class DataFolderDamaged extends Error {}

/**
 * Locks the folder for this process until the returned function is called or the process ends. It is a SQLite lock on
 * a file in the folder. The operating system releases it when the process dies, so there are no stale locks.
 * @throws DataFolderInUse with the process ID of the owner, DataFolderDamaged if the lock file is damaged
 */
export function lockDataFolder(folder: string): () => void {
  makePrivateFolder(folder)
  const holderFile = path.join(folder, 'holder.pid')
  const lock = new DatabaseSync(path.join(folder, 'lock.sqlite'))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    if (/not a database|malformed/.test((error as Error).message))
      throw new DataFolderDamaged(
        `The lock file ${path.join(folder, 'lock.sqlite')} is damaged. Delete it and start again.`,
        { cause: error },
      )
    if (!/locked/.test((error as Error).message)) throw error
    throw new DataFolderInUse(
      `${folder} is in use by another running service (process ${readHolder(holderFile)}). ` +
        'Stop it first, or use another DATA_DIR.',
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
