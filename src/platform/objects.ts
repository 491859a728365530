import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Files by key, such as `companies/cmp_…/source.csv`. Keys are made by the program, never taken from a request. */
export interface Objects {
  /** The object's bytes, or null when there is none. */
  read(key: string): Promise<Buffer | null>
  /** Writes objects, each whole or not at all. */
  write(objects: Iterable<[key: string, content: string | Buffer]>): Promise<void>
}

/** The keys of a company's files. */
export const profileKey = (companyId: string): string => `companies/${companyId}/profile.json`
export const sourceKey = (companyId: string): string => `companies/${companyId}/source.csv`

/** Between so many files others get their turn: about a millisecond's work. */
const FILES_A_TURN = 20

/**
 * Objects as files under a folder. Small files are looked for and written synchronously: passing each call to a
 * thread takes three times the processor time that the call does.
 */
export function folderObjects(folder: string): Objects {
  return {
    async read(key) {
      const file = path.join(folder, key)
      return statSync(file, { throwIfNoEntry: false }) ? readFile(file) : null
    },
    async write(objects) {
      let written = 0
      for (const [key, content] of objects) {
        writeWhole(path.join(folder, key), content)
        written += 1
        if (written % FILES_A_TURN === 0) await setImmediate()
      }
    },
  }
}

function writeWhole(file: string, content: string | Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const unfinished = `${file}.${randomUUID()}.tmp`
  writeFileSync(unfinished, content)
  renameSync(unfinished, file)
}
