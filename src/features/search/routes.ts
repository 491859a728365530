import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { sendPage } from '#src/platform/answers.ts'
import { found, unavailable } from '#src/platform/errors.ts'
import type { LexicalIndex } from '#src/platform/lexical-index.ts'
import * as schema from './schema.ts'
import { findSimilar, searchCompanies } from './semantic.ts'

export const searchRoutes =
  ({ db, lexicalIndex }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const ready = async (): Promise<LexicalIndex> => {
      if (!lexicalIndex)
        throw unavailable('The search by meaning is switched off (EMBEDDINGS=off); builtin switches it on.')
      await lexicalIndex.prepare()
      return lexicalIndex
    }

    app.route({
      ...schema.searchCompanies,
      handler: async ({ query }, reply) => {
        const { limit = 20, offset = 0 } = query
        return sendPage(reply, { limit, offset }, await searchCompanies(db, await ready(), query))
      },
    })

    app.route({
      ...schema.listSimilarCompanies,
      handler: async ({ params: { id }, query }, reply) => {
        const { limit = 20, offset = 0 } = query
        const page = await findSimilar(db, await ready(), id, query)
        return sendPage(reply, { limit, offset }, found(page, 'company', id))
      },
    })

    done()
  }
