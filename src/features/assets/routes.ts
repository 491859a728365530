import type { OutgoingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { isCompanyId, profileKey, sourceKey } from '#src/features/companies/store.ts'
import { NotFound, Unavailable } from '#src/platform/errors.ts'
import type { ErrorAnswer } from '#src/platform/http/error-answer.ts'
import type { CachedObject } from '#src/platform/objects/cache.ts'
import type { ByteRange } from '#src/platform/objects/objects.ts'
import { chain } from '#src/platform/process/chain.ts'
import { answerTo, type FileAnswer } from './answer.ts'
import * as schema from './schema.ts'

interface File {
  name: string
  keyOf: (companyId: string) => string
  /** The headers that tell what kind of file it is. */
  kindOf: (companyId: string) => OutgoingHttpHeaders
  missing: string
}

type Body = Buffer | Readable | ErrorAnswer | undefined | null

const PROFILE_KIND = { 'content-type': 'application/json; charset=utf-8' }

const FILES = [
  {
    ...schema.getProfile,
    name: 'profile.json',
    keyOf: profileKey,
    kindOf: () => PROFILE_KIND,
    missing: 'a bulk action enrich_profile makes one',
  },
  {
    ...schema.getSource,
    name: 'source.csv',
    keyOf: sourceKey,
    kindOf: (companyId: string) => ({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${companyId}.csv"`,
    }),
    missing: 'companies that were imported have one',
  },
]

/** A large file may be replaced between the look at it and the reading. */
const MAX_TRIES = 3

/** Companies' files, out of the object storage. */
export const assetRoutes =
  ({ objects }: Pick<Context, 'objects'>): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const send = (file: File) => (request: FastifyRequest, reply: FastifyReply) => {
      const { id } = request.params as { id: string }
      const missing = () =>
        new NotFound(`There is no ${file.name} of a company ${id.slice(0, 100)}; ${file.missing}.`)
      if (!isCompanyId(id)) throw missing()
      const key = file.keyOf(id)
      const attempt = (triesLeft: number): FastifyReply | Promise<FastifyReply> => {
        if (triesLeft === 0) throw new Unavailable('The file is being changed again and again; ask again.')
        return chain(look(key), (object) => {
          if (!object) throw missing()
          const answer = answerTo(request, object, file.kindOf(id))
          return chain(bodyOf(answer, key, object), (body) =>
            body === null
              ? attempt(triesLeft - 1)
              : reply.code(answer.status).headers(answer.headers).send(body),
          )
        })
      }
      const sent = attempt(MAX_TRIES)
      // Fastify would wait for the end of a reply that is returned as it is.
      return sent instanceof Promise ? sent : undefined
    }

    const look = (key: string) => {
      const object = objects.cached(key)
      return object instanceof Promise ? object.catch(outOfReach) : object
    }

    /** What is sent, or null when the bytes are another file's by now. */
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
      const opened = await objects.open(key, part === 'all' ? undefined : part).catch(outOfReach)
      if (opened?.etag === etag) return opened.body
      opened?.body.destroy()
      objects.forget(key)
      return null
    }

    for (const file of FILES) {
      const { method, url, schema } = file
      app.route({ method, url, schema, exposeHeadRoute: false, handler: send(file) })
      app.route({ method: 'HEAD', url, schema: { hide: true }, handler: send(file) })
    }
    done()
  }

function outOfReach(error: unknown): never {
  throw new Unavailable('The object storage cannot be read.', { cause: error })
}
