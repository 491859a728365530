import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { foundOutsideTrash } from '#src/features/trash/store.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import { findSimilar, type Indexes, searchCompanies } from './semantic.ts'
import { readStatus } from './status.ts'
import { prepareIndexes } from './store.ts'

export const searchRoutes =
  ({ config, db, indexes }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const requireIndexes = async (): Promise<Indexes> => {
      if (!indexes)
        throw new Unavailable(
          'Semantic search is turned off (EMBEDDINGS=off). Set EMBEDDINGS to builtin, builtin-words or openai-compatible to turn it on.',
        )
      await prepareIndexes(indexes)
      return indexes
    }

    app.route({
      ...schema.searchCompanies,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await searchCompanies(reading, await requireIndexes(), query))
      },
    })

    app.route({
      ...schema.listSimilarCompanies,
      handler: async ({ params: { id }, query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await findSimilar(reading, await requireIndexes(), id, query)
        return sendPage(reply, pageOf(query), await foundOutsideTrash(db, page, 'company', id))
      },
    })

    app.route({
      ...schema.getSearchStatus,
      handler: async () => ({
        data: await readStatus(db, config.embeddings.kind, indexes && (await requireIndexes())),
      }),
    })

    done()
  }
