import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { S3Config } from '#src/platform/config/objects.ts'

/** Where backups are kept. */
export interface BackupTarget {
  /** The names of the files. */
  list(): Promise<string[]>
  /** Stores a file under a name. It appears once it is whole. */
  put(name: string, file: string): Promise<void>
  delete(name: string): Promise<void>
}

/**
 * Opens the place where backups are kept.
 * @param target a folder, or `s3://bucket/prefix`
 * @param s3 how to reach the bucket
 */
export async function openTarget(target: string, s3: Omit<S3Config, 'bucket'>): Promise<BackupTarget> {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(target) ?? []
  return bucket === undefined ? folderTarget(target) : s3Target(bucket, prefix, s3)
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

async function s3Target(
  Bucket: string,
  prefix: string,
  config: Omit<S3Config, 'bucket'>,
): Promise<BackupTarget> {
  const { createS3Client } = await import('#src/platform/objects/s3.ts')
  const { DeleteObjectCommand, paginateListObjectsV2, PutObjectCommand } = await import('@aws-sdk/client-s3')
  const client = createS3Client(config)
  const start = prefix && !prefix.endsWith('/') ? `${prefix}/` : prefix
  return {
    list: async () => {
      const names: string[] = []
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: start }))
        for (const { Key = '' } of Contents) names.push(Key.slice(start.length))
      return names
    },
    put: async (name, file) => {
      const { size } = await stat(file)
      const body = { Body: createReadStream(file), ContentLength: size, ContentType: 'application/zstd' }
      // The limit for other requests counts the time of the upload too.
      await client.send(new PutObjectCommand({ Bucket, Key: start + name, ...body }), { requestTimeout: 0 })
    },
    delete: async (name) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key: start + name }))
    },
  }
}
