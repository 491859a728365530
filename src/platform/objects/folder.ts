import { randomUUID } from 'node:crypto'
import { type BigIntStats, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { access, constants, open, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'
import { type ObjectDescription, type Objects, StoreRefusal } from './objects.ts'

/** Between so many files others get their turn: about a millisecond's work. */
const FILES_A_TURN = 20

/**
 * Objects as files under a folder. Small files are looked for and written synchronously: passing each call to a
 * thread takes three times the processor time that the call does.
 * @param freeSpace of the folder's disk; while it is nearly full, writing throws Unavailable
 */
export function folderObjects(folder: string, freeSpace?: FreeSpace): Objects {
  makePrivateFolder(folder)
  const fileOf = (key: string) => path.join(folder, key)
  // A folder that has gone, such as a disk that is not there, is not an empty one.
  const refuseIfGone = () => void statSync(folder)
  const nothing = (error: NodeJS.ErrnoException): null => {
    if (error.code !== 'ENOENT') throw error
    refuseIfGone()
    return null
  }
  return {
    async read(key) {
      const file = fileOf(key)
      if (statSync(file, { throwIfNoEntry: false })) return readFile(file)
      refuseIfGone()
      return null
    },
    describe: (key) => stat(fileOf(key), { bigint: true }).then(describe).catch(nothing),
    async open(key, range) {
      const handle = await open(fileOf(key)).catch(nothing)
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
      refuseIfGone()
      let written = 0
      for (const [key, content] of objects) {
        freeSpace?.check()
        writeWhole(fileOf(key), content)
        written += 1
        if (written % FILES_A_TURN === 0) await setImmediate()
      }
    },
  }
}

/** A file that we write is a new one on the disk; one that another program overwrites has another time. */
const describe = ({ size, ino, mtimeNs, mtime }: BigIntStats): ObjectDescription => ({
  size: Number(size),
  etag: `"${[size, ino, mtimeNs].map((part) => part.toString(36)).join('-')}"`,
  modified: mtime,
})

function explain({ code, path: folder }: NodeJS.ErrnoException): never {
  const fault = code === 'ENOENT' ? 'is not there' : 'cannot be read and written'
  throw new StoreRefusal(`The folder ${folder} ${fault} (${code}); see to DATA_DIR.`)
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
