import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type FileContent = string | Uint8Array

/**
 * Writes a file that is either whole or not there, and the folders it is in.
 * @param unfinished a folder on the same disk, for the file until it is whole
 */
export function writeWhole(file: string, content: FileContent, unfinished: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const temporary = path.join(unfinished, randomUUID())
  try {
    writeFileSync(temporary, content)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
