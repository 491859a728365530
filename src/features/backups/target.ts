import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { S3Config } from '#src/platform/config/objects.ts'
import type { BackupTarget } from './backup-target.ts'

/**
 * Opens the place where backups are kept.
 * @param target a folder, or `s3://bucket/prefix`
 * @param s3 how to reach the bucket
 */
export async function openTarget(target: string, s3: Omit<S3Config, 'bucket'>): Promise<BackupTarget> {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(target) ?? []
  if (bucket === undefined) return folderTarget(target)
  // Loading the S3 client takes a tenth of the startup time.
  const { s3Target } = await import('./s3-target.ts')
  return s3Target(bucket, prefix, s3)
}

function folderTarget(folder: string): BackupTarget {
  return {
    list: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return readdir(folder)
    },
    put: async (name, file) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = path.join(folder, `${name}.unfinished`)
      try {
        await copyFile(file, unfinished)
        const handle = await open(unfinished)
        await handle.sync().finally(() => handle.close())
        await rename(unfinished, path.join(folder, name))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    delete: (name) => rm(path.join(folder, name), { force: true }),
  }
}
