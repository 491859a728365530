import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import parseRange from 'range-parser'
import type { Context } from '#src/context.ts'
import { errorAnswer, notFound, unavailable } from '#src/platform/errors.ts'
import type { CachedObject } from '#src/platform/object-cache.ts'
import { type ByteRange, isCompanyId, profileKey, sourceKey } from '#src/platform/objects.ts'
import * as schema from './schema.ts'

interface File {
  name: string
  keyOf: (companyId: string) => string
  contentType: string
  /** The name to save it under. */
  savedAs?: (companyId: string) => string
  missing: string
}

const FILES = [
  {
    ...schema.getProfile,
    name: 'profile.json',
    keyOf: profileKey,
    contentType: 'application/json; charset=utf-8',
    missing: 'a bulk action enrich_profile makes one',
  },
  {
    ...schema.getSource,
    name: 'source.csv',
    keyOf: sourceKey,
    contentType: 'text/csv; charset=utf-8',
    savedAs: (companyId: string) => `${companyId}.csv`,
    missing: 'companies that were imported have one',
  },
]

/** A large file may be replaced between the look at it and the reading. */
const MOST_TRIES = 3
const CACHE_CONTROL = 'private, max-age=300, must-revalidate'

/** Companies' files, out of the object storage. */
export const assetRoutes =
  ({ objects }: Pick<Context, 'objects'>): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const send = (file: File) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { id } = request.params as { id: string }
      const key = isCompanyId(id) ? file.keyOf(id) : undefined
      const missing = () =>
        notFound(`There is no ${file.name} of a company ${id.slice(0, 100)}; ${file.missing}.`)
      if (!key) throw missing()
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const cached = objects.cached(key)
        const object = cached instanceof Promise ? await cached.catch(outOfReach) : cached
        if (!object) throw missing()
        const validators = { etag: object.etag, 'last-modified': object.lastModified }
        if (isConditional(request) && fresh(request.headers, validators))
          return reply
            .code(304)
            .headers({ ...validators, 'cache-control': CACHE_CONTROL })
            .send()
        const range = request.method === 'HEAD' ? undefined : askedRange(request, object)
        if (range === 'unsatisfiable')
          return reply
            .code(416)
            .header('content-range', `bytes */${object.size}`)
            .send(errorAnswer(416, `Range must be within the ${object.size} bytes of the file.`))
        const bytes =
          request.method === 'HEAD'
            ? undefined
            : (partOf(object.body, range) ?? (await open(key, object, range)))
        if (bytes === null) {
          objects.forget(key)
          continue
        }
        reply.headers({
          ...validators,
          'cache-control': CACHE_CONTROL,
          'content-type': file.contentType,
          'accept-ranges': 'bytes',
          'content-length': range ? range.end - range.start + 1 : object.size,
        })
        if (object.isStale) reply.header('warning', '110 - "Response is Stale"')
        if (file.savedAs) reply.header('content-disposition', `attachment; filename="${file.savedAs(id)}"`)
        if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${object.size}`)
        return reply.send(bytes)
      }
      throw unavailable('The file is being changed again and again; ask again.')
    }

    /** The bytes, or null when they are another file's by now. */
    const open = async (key: string, { etag }: CachedObject, range: ByteRange | undefined) => {
      const opened = await objects.open(key, range).catch(outOfReach)
      if (opened?.etag === etag) return opened.body
      opened?.body.destroy()
      return null
    }

    for (const file of FILES) {
      const { method, url, schema } = file
      app.route({ method, url, schema, exposeHeadRoute: false, handler: send(file) })
      app.route({ method: 'HEAD', url, schema: { hide: true }, handler: send(file) })
    }
    done()
  }

const partOf = (body: Buffer | undefined, range: ByteRange | undefined): Buffer | undefined =>
  range ? body?.subarray(range.start, range.end + 1) : body

const isConditional = ({ headers }: FastifyRequest): boolean =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined

/**
 * The single range that is asked for; one that cannot be read, or several, are passed over (RFC 9110, section 14.2), and
 * so is one on a condition that is not the file's entity tag: a date tells two versions of a second apart no more.
 */
function askedRange(
  { headers }: FastifyRequest,
  { size, etag }: CachedObject,
): ByteRange | 'unsatisfiable' | undefined {
  const { range } = headers
  const condition = headers['if-range']
  if (!range || (condition && condition !== etag)) return undefined
  // The package takes the last n of fewer bytes for none of them (RFC 9110, section 14.1.2: for all).
  const last = /^bytes=-(\d+)$/.exec(range)?.[1]
  if (last && size > 0 && Number(last) >= size) return { start: 0, end: size - 1 }
  const ranges = parseRange(size, range)
  if (ranges === -1) return 'unsatisfiable'
  return ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1 ? undefined : ranges[0]
}

function outOfReach(error: unknown): never {
  throw unavailable('The object storage cannot be read.', error)
}
