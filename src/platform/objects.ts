import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Files by key, such as `companies/cmp_…/source.csv`. Keys are made by the program, never taken from a request. */
export interface Objects {
  /** The object's bytes, or null when there is none. */
  read(key: string): Promise<Buffer | null>
  /** Writes the object whole or not at all. */
  write(key: string, bytes: string | Buffer): Promise<void>
}

/** Objects as files under a folder. */
export function folderObjects(folder: string): Objects {
  const fileOf = (key: string) => path.join(folder, key)
  return {
    async read(key) {
      const file = fileOf(key)
      // Most companies have no profile, and to see that synchronously takes 2 µs instead of a thread's 50.
      if (!statSync(file, { throwIfNoEntry: false })) return null
      return readFile(file)
    },
    async write(key, bytes) {
      const file = fileOf(key)
      await mkdir(path.dirname(file), { recursive: true })
      const unfinished = `${file}.${randomUUID()}.tmp`
      await writeFile(unfinished, bytes)
      await rename(unfinished, file)
    },
  }
}
