import type { OutgoingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Context } from '#src/context.ts'
import { isCompanyId, profileKey, sourceKey } from '#src/features/companies/index.ts'
import { findTrashed, orTrashed, readMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { NotFound, Unavailable } from '#src/platform/errors.ts'
import type { ErrorAnswer } from '#src/platform/http/error-body.ts'
import type { CachedObject } from '#src/platform/objects/cache.ts'
import type { ByteRange } from '#src/platform/objects/objects.ts'
import { truncate } from '#src/platform/truncate.ts'
import { type FileAnswer, fileResponse } from './response.ts'
import * as schema from './schema.ts'

interface File {
  name: string
  keyOf: (companyId: string) => string
  /** The headers for this type of file. */
  contentHeadersOf: (companyId: string) => OutgoingHttpHeaders
  origin: string
}

type Found = { key: string; object: CachedObject } | undefined
type Body = Buffer | Readable | ErrorAnswer | undefined | null

const PROFILE_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

const FILES = [
  {
    ...schema.getProfile,
    name: 'profile.json',
    keyOf: profileKey,
    contentHeadersOf: () => PROFILE_HEADERS,
    origin: 'The bulk action enrich_profile creates it.',
  },
  {
    ...schema.getSource,
    name: 'source.csv',
    keyOf: sourceKey,
    contentHeadersOf: (companyId: string) => ({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${companyId}.csv"`,
    }),
    origin: 'Only imported companies have one.',
  },
]

/** A large file may be replaced between reading its ETag and its content. */
const MAX_ATTEMPTS = 3

/** Serves companies' files from object storage. */
export const assetRoutes =
  ({ objects, db }: Pick<Context, 'objects' | 'db'>): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const ownersOf = fileOwners(db)
    const send = (file: File) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { id } = request.params as { id: string }
      const missing = () =>
        new NotFound(`The company ${truncate(id, 100)} has no ${file.name}. ${file.origin}`)
      if (!isCompanyId(id)) throw missing()
      const keys = (await ownersOf(id)).map(file.keyOf)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const found = await find(keys)
        if (!found) throw missing()
        const { key, object } = found
        const answer = fileResponse(request, object, file.contentHeadersOf(id))
        const body = await bodyOf(answer, key, object)
        if (body !== null) return reply.code(answer.status).headers(answer.headers).send(body)
      }
      throw new Unavailable('The file keeps changing. Try again.')
    }

    /** The first of the objects that exists. */
    const find = async (keys: string[]): Promise<Found> => {
      for (const key of keys) {
        const object = await describe(key)
        if (object) return { key, object }
      }
      return undefined
    }

    const describe = async (key: string) => {
      try {
        return await objects.cached(key)
      } catch (error) {
        return rejectAsUnavailable(error)
      }
    }

    /** The body to send, or null if the file has been replaced in the meantime. */
    const bodyOf = ({ part, error }: FileAnswer, key: string, object: CachedObject): Body | Promise<Body> => {
      if (!part) return error
      if (!object.body) return open(key, object, part)
      return part === 'all' ? object.body : object.body.subarray(part.start, part.end + 1)
    }

    const open = async (
      key: string,
      { etag }: CachedObject,
      part: ByteRange | 'all',
    ): Promise<Readable | null> => {
      const opened = await objects.open(key, part === 'all' ? undefined : part).catch(rejectAsUnavailable)
      if (opened?.etag === etag) return opened.body
      opened?.body.destroy()
      objects.forget(key)
      return null
    }

    for (const file of FILES) {
      const { method, url, schema } = file
      app.route({ method, url, schema, exposeHeadRoute: false, handler: send(file) })
      const head = { hide: true, 'x-action': schema['x-action'] }
      app.route({ method: 'HEAD', url, schema: head, handler: send(file) })
    }
    done()
  }

function rejectAsUnavailable(error: unknown): never {
  throw new Unavailable('The object storage cannot be read.', { cause: error })
}

/** Less than a cached file may be out of date. */
const MAX_AGE_MS = 2000
const MAX_COMPANIES = 10_000

/** The company, and those that are part of it, whose files it has if it has none of its own. */
type Owners = readonly string[]

/**
 * Returns a function that looks up whose files a company has. It remembers them for two seconds.
 * @throws NotFound if the company is in the trash, Moved if it was merged
 */
function fileOwners(db: Db): (id: string) => Owners | Promise<Owners> {
  const known = new LRUCache<string, Owners>({ max: MAX_COMPANIES, ttl: MAX_AGE_MS })
  return (id) =>
    known.get(id) ??
    readOwners(db, id).then((owners) => {
      known.set(id, owners)
      return owners
    })
}

async function readOwners(db: Db, id: string): Promise<Owners> {
  const [trashed, merged] = await Promise.all([findTrashed(db, [id]), readMerged(db, id)])
  await orTrashed(db, trashed.has(id) ? undefined : id, 'company', id)
  return [id, ...merged]
}
