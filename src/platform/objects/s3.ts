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
import type { S3Config } from '#src/platform/config/objects.ts'
import { type ObjectDescription, type Objects, StoreRefusal } from './objects.ts'

/** So many objects are written at a time. */
const WRITES_AT_ONCE = 32
const CONNECT_MS = 3000
/** For an answer to begin, and between two parts of it. */
const ANSWER_MS = 10_000

/** What is to be seen to, by what is answered when the bucket is asked for. */
const REMEDIES: Record<number, string> = {
  301: 'it is in another region (301); see to S3_REGION and S3_ENDPOINT',
  400: 'the request is refused (400); see to S3_REGION, S3_ENDPOINT and the keys',
  401: 'there are no keys for it; see to S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  403: 'the keys are refused, or may not list it (403); see to S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  404: 'it is not there (404); see to S3_BUCKET and S3_ENDPOINT',
}

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
  /** An answer to `HEAD` has no body that would say more than its status. */
  const explain = (error: Error & { code?: string; $metadata?: { httpStatusCode?: number } }): never => {
    const status = error.$metadata?.httpStatusCode ?? 0
    const remedy = REMEDIES[error.name === 'CredentialsProviderError' ? 401 : status]
    if (remedy) throw new StoreRefusal(`The bucket ${bucket} cannot be used: ${remedy}.`, { cause: error })
    throw new Error(`The bucket ${bucket} cannot be reached (${error.code ?? error.name}).`, { cause: error })
  }
  const get = async (Key: string, Range?: string) => {
    const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key, Range })).catch(nothing)
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
