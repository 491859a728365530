import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { S3Config } from '#src/platform/config/objects.ts'
import { isEncoded, readContent } from './content-encoding.ts'
import { type ByteRange, type ObjectDescription, type Objects, StoreRefusal } from './objects.ts'

const WRITE_CONCURRENCY = 32
const CONNECT_TIMEOUT_MS = 3000
/** Maximum time until a response starts, and between two parts of it. */
const RESPONSE_TIMEOUT_MS = 10_000
/** For a large file over a slow connection. A stalled one ends after `RESPONSE_TIMEOUT_MS`. */
const UPLOAD_TIMEOUT_MS = 600_000

/** What to fix, by the status of a `HEAD` request for the bucket. */
const REMEDIES: Record<number, string> = {
  301: 'it is in another region (301); check S3_REGION and S3_ENDPOINT',
  400: 'the request is invalid (400); check S3_REGION, S3_ENDPOINT and the keys',
  401: 'no credentials were found; check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  403: 'access is denied (403); check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and that they allow s3:GetObject, and s3:ListBucket on Amazon S3',
  404: 'it does not exist (404); check S3_BUCKET and S3_ENDPOINT',
}

/**
 * A client for Amazon S3 or a compatible service.
 * @param socketTimeout how long a connection may be idle, whichever side is slow; 0: without limit
 */
export const createS3Client = (
  { endpoint, region, credentials, forcePathStyle }: Omit<S3Config, 'bucket'>,
  socketTimeout = RESPONSE_TIMEOUT_MS,
): S3Client =>
  new S3Client({
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
      socketTimeout,
    },
  })

/**
 * Stores objects in a bucket on Amazon S3 or a compatible service.
 * @param probeKey of an object that need not exist: the answer shows whether objects can be read
 * @param idleMs how long the store may send nothing of an object
 */
export function s3Objects(
  { bucket, endpoint, region, credentials, forcePathStyle }: S3Config,
  probeKey: string,
  idleMs = RESPONSE_TIMEOUT_MS,
): Objects {
  const config = { endpoint, region, credentials, forcePathStyle }
  const client = createS3Client(config)
  // The client of a download may pause for longer: `endIfIdle` limits the time of the store alone.
  const reader = createS3Client(config, 0)
  /** A response to `HEAD` has no body, so only its status explains the error. */
  const explain = (error: Error & { code?: string }): never => {
    const remedy = REMEDIES[error.name === 'CredentialsProviderError' ? 401 : statusOf(error)]
    if (remedy) throw new StoreRefusal(`The bucket ${bucket} cannot be used: ${remedy}.`, { cause: error })
    throw new Error(`The bucket ${bucket} cannot be reached (${error.code ?? error.name}).`, { cause: error })
  }
  const explainRefusal = (verb: string, permission: string) => (error: Error) => {
    if (statusOf(error) !== 403) throw error
    throw new StoreRefusal(
      `The bucket ${bucket} refuses to ${verb} objects (403). Allow the keys ${permission} on its objects.`,
      { cause: error },
    )
  }
  const get = async (Key: string, range?: ByteRange) => {
    const Range = range && `bytes=${range.start}-${range.end}`
    // The body of an error, which the client reads, must not take forever either. There are two attempts.
    const attempts = new AbortController()
    const limit = setTimeout(() => attempts.abort(), 3 * idleMs)
    const answer = await reader
      .send(new GetObjectCommand({ Bucket: bucket, Key, Range }), { abortSignal: attempts.signal })
      .catch(nullIfMissing)
      .finally(() => clearTimeout(limit))
    if (!answer) return null
    const body = answer.Body as IncomingMessage
    endIfIdle(body, idleMs)
    return { answer, body }
  }
  const read = async (key: string) => {
    const found = await get(key)
    return found && { answer: found.answer, content: await readContent(found.answer, found.body) }
  }
  /** For answers that do not say how long the object is, or are encoded. */
  const openWhole = async (key: string, range?: ByteRange) => {
    const found = await read(key)
    if (!found) return null
    const { answer, content } = found
    const part = range ? content.subarray(range.start, range.end + 1) : content
    if (range && part.length === 0) return null
    return { ...describe(answer, content.length), body: Readable.from([part], { objectMode: false }) }
  }
  const put = ([Key, content]: [string, string | Buffer]) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: content, ContentType: contentType(Key) }))

  return {
    async check(abortSignal) {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }).catch((error) => {
        // The keys may be for objects alone.
        if (statusOf(error) !== 403) return explain(error)
        const probe = new HeadObjectCommand({ Bucket: bucket, Key: probeKey })
        return client.send(probe, { abortSignal }).catch(nullIfMissing).catch(explain)
      })
    },
    async read(key) {
      return (await read(key))?.content ?? null
    },
    async describe(Key) {
      const answer = await client.send(new HeadObjectCommand({ Bucket: bucket, Key })).catch(nullIfMissing)
      if (!answer) return null
      if (!isEncoded(answer) && answer.ContentLength !== undefined)
        return describe(answer, answer.ContentLength)
      const found = await read(Key)
      return found && describe(found.answer, found.content.length)
    },
    async open(key, range) {
      const found = await get(key, range)
      if (!found) return null
      const { answer, body } = found
      const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1]
      // A proxy may ignore the range, or not know the length.
      const size = range ? total && Number(total) : answer.ContentLength
      if (!isEncoded(answer) && typeof size === 'number') return { ...describe(answer, size), body }
      body.destroy()
      return openWhole(key, range)
    },
    async write(objects) {
      const remaining = objects[Symbol.iterator]()
      const writer = async () => {
        for (let next = remaining.next(); !next.done; next = remaining.next()) await put(next.value)
      }
      await Promise.all(Array.from({ length: WRITE_CONCURRENCY }, writer))
    },
    async writeFile(Key, file) {
      const { size: ContentLength } = await stat(file)
      const command = new PutObjectCommand({
        ...{ Bucket: bucket, Key, ContentLength, ContentType: 'application/octet-stream' },
        Body: createReadStream(file),
      })
      await client
        .send(command, { requestTimeout: UPLOAD_TIMEOUT_MS })
        .catch(explainRefusal('store', 's3:PutObject'))
    },
    async *list() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket }))
        for (const { Key } of Contents) if (Key) yield Key
    },
    async delete(keys) {
      for (const Key of keys)
        await client
          .send(new DeleteObjectCommand({ Bucket: bucket, Key }))
          .catch(explainRefusal('delete', 's3:DeleteObject'))
    },
  }
}

/** Ends a response of which the store sends nothing for one to two times as long, while all that came has been read. */
function endIfIdle(body: IncomingMessage, idleMs: number): void {
  let bytesRead: number | undefined
  const timer = setInterval(() => {
    // Bytes that nobody has read yet mean that the reader is the slow side.
    const isStoresTurn = !body.complete && body.readableLength === 0
    if (isStoresTurn && body.socket.bytesRead === bytesRead)
      body.destroy(new Error(`The store has sent nothing for ${idleMs} ms.`))
    bytesRead = isStoresTurn ? body.socket.bytesRead : undefined
  }, idleMs).unref()
  body.once('close', () => clearInterval(timer))
}

function describe(
  { ETag, LastModified }: { ETag?: string | undefined; LastModified?: Date | undefined },
  size: number,
): ObjectDescription {
  const modified = LastModified ?? new Date(0)
  // A proxy that compresses makes the tag weak; what we read is the same content.
  return { size, etag: ETag?.replace(/^W\//, '') ?? `"${size}-${modified.getTime()}"`, modified }
}

const statusOf = (error: Error & { $metadata?: { httpStatusCode?: number } }): number =>
  error.$metadata?.httpStatusCode ?? 0

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
