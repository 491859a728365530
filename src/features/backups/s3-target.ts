import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Config } from '#src/platform/config/objects.ts'
import { createS3Client } from '#src/platform/objects/s3.ts'
import type { BackupTarget } from './backup-target.ts'

/** Larger files are sent in parts: S3 takes at most 5 GB at once, and 10,000 parts. */
const PART_BYTES = 512 * 1024 * 1024
const ContentType = 'application/zstd'
/** The limit for other requests counts the time of the upload too. */
const NO_LIMIT = { requestTimeout: 0 }

const REMEDIES: Record<number, string> = {
  301: 'it is in another region (301); check S3_REGION and S3_ENDPOINT',
  401: 'no credentials were found; check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  403: 'access is denied (403); the keys need s3:ListBucket, s3:PutObject, s3:AbortMultipartUpload, and s3:DeleteObject',
  404: 'the bucket does not exist (404)',
}

/**
 * Keeps backups in a bucket, under names that begin with the prefix.
 * @param partBytes the length of the parts in which larger files are sent
 */
export function s3Target(
  Bucket: string,
  prefix: string,
  config: Omit<S3Config, 'bucket'>,
  partBytes = PART_BYTES,
): BackupTarget {
  const client = createS3Client(config)
  const start = prefix && !prefix.endsWith('/') ? `${prefix}/` : prefix
  const explain = (error: Error & { code?: string; $metadata?: { httpStatusCode?: number } }): never => {
    const status = error.$metadata?.httpStatusCode
    const remedy =
      REMEDIES[error.name === 'CredentialsProviderError' ? 401 : (status ?? 0)] ??
      `the store does not answer as it should (${error.code ?? status ?? error.name})`
    throw new Error(`The backup target s3://${Bucket}/${prefix} cannot be used: ${remedy}.`, { cause: error })
  }

  const putInParts = async (Key: string, file: string, size: number) => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType }))
    const upload = { Bucket, Key, UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      for (let at = 0; at < size; at += partBytes) {
        const ContentLength = Math.min(partBytes, size - at)
        const Body = createReadStream(file, { start: at, end: at + ContentLength - 1 })
        const PartNumber = Parts.length + 1
        const part = new UploadPartCommand({ ...upload, PartNumber, Body, ContentLength })
        Parts.push({ PartNumber, ETag: (await client.send(part, NO_LIMIT)).ETag })
      }
      const MultipartUpload = { Parts }
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), NO_LIMIT)
    } catch (error) {
      // Otherwise the store keeps the parts, which nobody sees, and charges for them.
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }

  const put = async (Key: string, file: string): Promise<unknown> => {
    const { size: ContentLength } = await stat(file)
    if (ContentLength > partBytes) return putInParts(Key, file, ContentLength)
    const Body = createReadStream(file)
    return client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength, ContentType }), NO_LIMIT)
  }

  const listNames = async () => {
    const names: string[] = []
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: start }))
      for (const { Key = '' } of Contents) names.push(Key.slice(start.length))
    return names
  }

  return {
    list: () => listNames().catch(explain),
    put: async (name, file) => void (await put(start + name, file).catch(explain)),
    delete: async (name) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key: start + name })).catch(explain)
    },
  }
}
