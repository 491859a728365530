import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { parseSelection } from '#src/features/companies/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { withOwner } from '#src/platform/identity/caller-filter.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import { findSimilar, searchCompanies } from './semantic.ts'
import { readStatus } from './status.ts'
import { requireIndexes } from './store.ts'

export const searchRoutes =
  ({ config, db, filterCaller, indexes }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.searchCompanies,
      handler: async ({ query, user }, reply) => {
        const selected = await parseSelection(db, filterCaller(user), withOwner(query, user))
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(
          reply,
          pageOf(query),
          await searchCompanies(reading, await requireIndexes(indexes), selected),
        )
      },
    })

    app.route({
      ...schema.listSimilarCompanies,
      handler: async ({ params: { id }, query, user }, reply) => {
        const selected = await parseSelection(db, filterCaller(user), withOwner(query, user))
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await findSimilar(reading, await requireIndexes(indexes), id, selected)
        return sendPage(reply, pageOf(query), await orTrashed(db, page, 'company', id))
      },
    })

    app.route({
      ...schema.getSearchStatus,
      handler: async () => ({
        data: await readStatus(db, config.embeddings.kind, indexes),
      }),
    })

    done()
  }
