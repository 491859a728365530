import { randomUUID } from 'node:crypto'
import { type BigIntStats, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { access, constants, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'
import { type ObjectDescription, type Objects, StoreRefusal } from './objects.ts'

/** Yields to other work after this many files, about a millisecond. */
const FILES_PER_TURN = 20

/**
 * Stores objects as files in a folder. Small files are checked and written synchronously: moving each call to a
 * thread takes three times the CPU time of the call.
 * @param freeSpace the folder's disk; while it is nearly full, writing throws Unavailable
 */
export function folderObjects(folder: string, freeSpace?: FreeSpace): Objects {
  makePrivateFolder(folder)
  const fileOf = (key: string) => path.join(folder, key)
  // A missing folder, such as an unmounted disk, must not look like an empty one.
  const assertFolderExists = () => void statSync(folder)
  const nullIfMissing = (error: NodeJS.ErrnoException): null => {
    if (error.code !== 'ENOENT') throw error
    assertFolderExists()
    return null
  }
  const exists = (file: string): boolean => {
    if (statSync(file, { throwIfNoEntry: false })) return true
    assertFolderExists()
    return false
  }
  return {
    async read(key) {
      const file = fileOf(key)
      return exists(file) ? readFile(file) : null
    },
    describe: (key) => stat(fileOf(key), { bigint: true }).then(describe).catch(nullIfMissing),
    async open(key, range) {
      const file = fileOf(key)
      if (!exists(file)) return null
      const handle = await open(file).catch(nullIfMissing)
      if (!handle) return null
      try {
        const description = describe(await handle.stat({ bigint: true }))
        return { ...description, body: handle.createReadStream(range) }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    check: () => access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(explain),
    async write(objects) {
      assertFolderExists()
      let written = 0
      for (const [key, content] of objects) {
        freeSpace?.check()
        writeWhole(fileOf(key), content)
        written += 1
        if (written % FILES_PER_TURN === 0) await setImmediate()
      }
    },
    async delete(keys) {
      assertFolderExists()
      for (const key of keys) await rm(fileOf(key), { force: true })
    },
  }
}

/** We replace files, which changes the inode; a program that overwrites one changes its modification time. */
const describe = ({ size, ino, mtimeNs, mtime }: BigIntStats): ObjectDescription => ({
  size: Number(size),
  etag: `"${[size, ino, mtimeNs].map((part) => part.toString(36)).join('-')}"`,
  modified: mtime,
})

function explain({ code, path: folder }: NodeJS.ErrnoException): never {
  const problem = code === 'ENOENT' ? 'does not exist' : 'is not readable and writable'
  throw new StoreRefusal(`The folder ${folder} ${problem} (${code}); check DATA_DIR.`)
}

function writeWhole(file: string, content: string | Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const unfinished = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(unfinished, content)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
