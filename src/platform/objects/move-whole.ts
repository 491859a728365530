import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Moves a file to a place where it is either whole or not there, also after a power cut, and creates the folders it is in.
 * @param unfinished a folder on the same disk as the place, for the file until it is whole
 */
export async function moveWhole(from: string, to: string, unfinished: string): Promise<void> {
  const folder = path.dirname(to)
  const created = await mkdir(folder, { recursive: true })
  await sync(from)
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyWhole(from, to, unfinished)
  }
  await sync(folder, 'r')
  // A new folder is an entry of the one that it is in.
  if (created) await sync(path.dirname(created), 'r')
}

/** From another disk. */
async function copyWhole(from: string, to: string, unfinished: string): Promise<void> {
  const temporary = path.join(unfinished, randomUUID())
  try {
    await copyFile(from, temporary)
    await sync(temporary)
    await rename(temporary, to)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await rm(from, { force: true })
}

/** @param flags 'r' for a folder */
async function sync(file: string, flags = 'r+'): Promise<void> {
  const handle = await open(file, flags)
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
