import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './list-schema.ts'
import * as store from './store.ts'
import { uploadRoute } from './upload-route.ts'

export const importRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { db } = context
    app.register(uploadRoute(context))

    app.route({
      ...schema.listImports,
      handler: async ({ query, user }, reply) =>
        sendPage(reply, pageOf(query), await store.listImports(db, user, pageOf(query))),
    })

    app.route({
      ...schema.getImport,
      handler: async ({ params: { id }, user }, reply) =>
        sendData(reply, orNotFound(await store.readImport(db, user, id), 'import', id)),
    })
    done()
  }
