import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { ObjectDescription, Objects } from './objects.ts'
import type { S3Config } from './objects-config.ts'

/** So many objects are written at a time. */
const WRITES_AT_ONCE = 32
const CONNECT_MS = 3000
/** For an answer to begin, and between two parts of it. */
const ANSWER_MS = 10_000

/** Objects in a bucket of any service with the API of Amazon's S3. */
export function s3Objects({ bucket, endpoint, region, credentials, forcePathStyle }: S3Config): Objects {
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials: { ...credentials } }),
    // Stores that do not know the checksums which are added otherwise keep them as a part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: ANSWER_MS,
    },
  })
  const get = async (Key: string, Range?: string) => {
    const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key, Range })).catch(nothing)
    return answer && { answer, body: answer.Body as Readable }
  }
  const put = ([Key, content]: [string, string | Buffer]) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: content, ContentType: contentType(Key) }))

  return {
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    },
    async read(key) {
      const found = await get(key)
      return found && buffer(found.body)
    },
    async describe(Key) {
      const answer = await client.send(new HeadObjectCommand({ Bucket: bucket, Key })).catch(nothing)
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
      const waiting = objects[Symbol.iterator]()
      const writer = async () => {
        for (let next = waiting.next(); !next.done; next = waiting.next()) await put(next.value)
      }
      await Promise.all(Array.from({ length: WRITES_AT_ONCE }, writer))
    },
  }
}

/** @throws Error for an answer that does not say how long the object is */
function describe(
  { ETag, LastModified }: { ETag?: string | undefined; LastModified?: Date | undefined },
  size: number | undefined,
): ObjectDescription {
  if (size === undefined) throw new Error('The store does not say how long the object is.')
  const modified = LastModified ?? new Date(0)
  return { size, etag: ETag ?? `"${size}-${modified.getTime()}"`, modified }
}

const contentType = (key: string): string =>
  key.endsWith('.json') ? 'application/json' : 'text/csv; charset=utf-8'

/** @throws the error, unless it says that there is no such object, or no such part of it any more */
function nothing(error: unknown): null {
  const isMissing =
    error instanceof S3ServiceException && ['NoSuchKey', 'NotFound', 'InvalidRange'].includes(error.name)
  if (isMissing) return null
  throw error
}
