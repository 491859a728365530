import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { readCompany } from '#src/features/companies/index.ts'
import { readPerson } from '#src/features/people/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import { listCompanyRelationships, listPersonRelationships } from './store.ts'

export const relationshipRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listPersonRelationships,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await readPerson(db, id), 'person', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listPersonRelationships(reading, id, pageOf(query)))
      },
    })

    app.route({
      ...schema.listCompanyRelationships,
      handler: async ({ params: { id }, query }, reply) => {
        await orTrashed(db, await readCompany(db, id), 'company', id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await listCompanyRelationships(reading, id, pageOf(query)))
      },
    })

    done()
  }
