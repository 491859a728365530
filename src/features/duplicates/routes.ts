import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { checkDuplicates } from './possible-duplicates.ts'
import * as schema from './schema.ts'
import { listDuplicates, setDismissed } from './store.ts'

export const duplicateRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listDuplicates,
      handler: async ({ query }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listDuplicates(reading, query))
      },
    })

    app.route({
      ...schema.checkDuplicates,
      handler: async ({ query }) => ({ data: { possible_duplicates: await checkDuplicates(db, query) } }),
    })

    app.route({
      ...schema.dismissDuplicate,
      handler: async ({ params: { id }, user }, reply) =>
        sendData(reply, await setDismissed(db, id, true, user)),
    })

    app.route({
      ...schema.reopenDuplicate,
      handler: async ({ params: { id }, user }, reply) =>
        sendData(reply, await setDismissed(db, id, false, user)),
    })
    done()
  }
