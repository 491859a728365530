import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import * as schema from './schema.ts'
import { findByWords } from './store.ts'

export const quickSearchRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.findRecords,
      handler: async ({ query: { q }, user }, reply) => ({
        data: await findByWords(cancelable(db, disconnectSignal(reply)), user, q.trim()),
      }),
    })
    done()
  }
