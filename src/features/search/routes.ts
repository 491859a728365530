import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { found, Unavailable } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import * as schema from './schema.ts'
import { findSimilar, type Indexes, searchCompanies } from './semantic.ts'
import { readStatus } from './status.ts'
import { prepareIndexes } from './store.ts'

export const searchRoutes =
  ({ config, db, indexes }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const ready = async (): Promise<Indexes> => {
      if (!indexes)
        throw new Unavailable(
          'The search by meaning is switched off (EMBEDDINGS=off); builtin or openai-compatible switches it on.',
        )
      await prepareIndexes(indexes)
      return indexes
    }

    app.route({
      ...schema.searchCompanies,
      handler: async ({ query }, reply) => {
        const { limit = 20, offset = 0 } = query
        return sendPage(
          reply,
          { limit, offset },
          await searchCompanies(cancelable(db, disconnectSignal(reply)), await ready(), query),
        )
      },
    })

    app.route({
      ...schema.listSimilarCompanies,
      handler: async ({ params: { id }, query }, reply) => {
        const { limit = 20, offset = 0 } = query
        const page = await findSimilar(cancelable(db, disconnectSignal(reply)), await ready(), id, query)
        return sendPage(reply, { limit, offset }, found(page, 'company', id))
      },
    })

    app.route({
      ...schema.getSearchStatus,
      handler: async () => ({
        data: await readStatus(db, config.embeddings.kind, indexes && (await ready())),
      }),
    })

    done()
  }
