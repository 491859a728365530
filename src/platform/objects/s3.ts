import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { S3Config } from '#src/platform/config/objects.ts'
import { type ObjectDescription, type Objects, StoreRefusal } from './objects.ts'

const WRITE_CONCURRENCY = 32
const CONNECT_TIMEOUT_MS = 3000
/** Maximum time until a response starts, and between two parts of it. */
const RESPONSE_TIMEOUT_MS = 10_000

/** What to fix, by the status of a `HEAD` request for the bucket. */
const REMEDIES: Record<number, string> = {
  301: 'it is in another region (301); check S3_REGION and S3_ENDPOINT',
  400: 'the request is invalid (400); check S3_REGION, S3_ENDPOINT and the keys',
  401: 'no credentials were found; check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  403: 'access is denied (403); check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  404: 'it does not exist (404); check S3_BUCKET and S3_ENDPOINT',
}

/** Stores objects in a bucket on Amazon S3 or a compatible service. */
export function s3Objects({ bucket, endpoint, region, credentials, forcePathStyle }: S3Config): Objects {
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials: { ...credentials } }),
    // Stores without support for the SDK's default checksums would save them as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: RESPONSE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: RESPONSE_TIMEOUT_MS,
    },
  })
  /** A response to `HEAD` has no body, so only its status explains the error. */
  const explain = (error: Error & { code?: string; $metadata?: { httpStatusCode?: number } }): never => {
    const status = error.$metadata?.httpStatusCode ?? 0
    const remedy = REMEDIES[error.name === 'CredentialsProviderError' ? 401 : status]
    if (remedy) throw new StoreRefusal(`The bucket ${bucket} cannot be used: ${remedy}.`, { cause: error })
    throw new Error(`The bucket ${bucket} cannot be reached (${error.code ?? error.name}).`, { cause: error })
  }
  const get = async (Key: string, Range?: string) => {
    const answer = await client
      .send(new GetObjectCommand({ Bucket: bucket, Key, Range }))
      .catch(nullIfMissing)
    return answer && { answer, body: answer.Body as Readable }
  }
  const put = ([Key, content]: [string, string | Buffer]) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: content, ContentType: contentType(Key) }))

  return {
    async check(abortSignal) {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }).catch(explain)
    },
    async read(key) {
      const found = await get(key)
      return found && buffer(found.body)
    },
    async describe(Key) {
      const answer = await client.send(new HeadObjectCommand({ Bucket: bucket, Key })).catch(nullIfMissing)
      return answer && describe(answer, answer.ContentLength)
    },
    async open(key, range) {
      const found = await get(key, range && `bytes=${range.start}-${range.end}`)
      if (!found) return null
      const { answer, body } = found
      const whole = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1]
      return { ...describe(answer, whole ? Number(whole) : answer.ContentLength), body }
    },
    async write(objects) {
      const remaining = objects[Symbol.iterator]()
      const writer = async () => {
        for (let next = remaining.next(); !next.done; next = remaining.next()) await put(next.value)
      }
      await Promise.all(Array.from({ length: WRITE_CONCURRENCY }, writer))
    },
    async delete(keys) {
      for (const Key of keys) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
    },
  }
}

/** @throws Error if the response does not include the size of the object */
function describe(
  { ETag, LastModified }: { ETag?: string | undefined; LastModified?: Date | undefined },
  size: number | undefined,
): ObjectDescription {
  if (size === undefined) throw new Error('The store did not return the size of the object.')
  const modified = LastModified ?? new Date(0)
  return { size, etag: ETag ?? `"${size}-${modified.getTime()}"`, modified }
}

const contentType = (key: string): string =>
  key.endsWith('.json') ? 'application/json' : 'text/csv; charset=utf-8'

/**
 * Turns a missing object or range into null.
 * @throws any other error
 */
function nullIfMissing(error: unknown): null {
  const isMissing =
    error instanceof S3ServiceException && ['NoSuchKey', 'NotFound', 'InvalidRange'].includes(error.name)
  if (isMissing) return null
  throw error
}
