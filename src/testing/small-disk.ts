import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const MB = 1024 * 1024

export interface SmallDisk {
  folder: string
  /** Writes a file that leaves this many bytes free. */
  fill(freeBytes: number): Promise<void>
  /** Removes that file. */
  empty(): Promise<void>
  unmount(): void
}

/** Mounts a RAM disk. It needs root. */
export function mountSmallDisk(sizeMb: number): SmallDisk {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-pipeline-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], { stdio: 'pipe' })
  const filler = path.join(folder, 'filler')
  return {
    folder,
    fill: async (freeBytes) => {
      const { bavail, bsize } = await statfs(folder)
      writeZeros(filler, bavail * bsize - freeBytes)
    },
    empty: () => rm(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
      rmdirSync(folder)
    },
  }
}

/** Appends zeros until they are as many, or the disk is full. */
function writeZeros(file: string, bytes: number): void {
  const handle = openSync(file, 'a')
  try {
    for (let left = bytes; left > 0; ) left -= writeSync(handle, Buffer.alloc(Math.min(left, MB)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(handle)
  }
}

/** Why a test that mounts a disk is skipped here; false: it runs. In CI, root must be able to mount. */
export function cannotMount(): false | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'mounting a small disk needs root on Linux'
  if (process.env.CI) return false
  try {
    mountSmallDisk(1).unmount()
    return false
  } catch (error) {
    return `a small disk cannot be mounted here: ${(error as Error).message}`
  }
}
