import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction } from '#src/features/activity/index.ts'
import { sendData } from '#src/platform/http/replies.ts'
import { mergeCompanies } from './merge-companies.ts'
import { mergePeople } from './merge-people.ts'
import * as schema from './schema.ts'

export const mergeRoutes =
  ({ longDb, objects }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.mergeCompanies,
      handler: async ({ params: { id }, body, user }, reply) => {
        const action = newAction('merge', user, 'merge')
        const merged = await mergeCompanies({ db: longDb, objects }, action, id, body)
        return sendData(reply, merged, body.dry_run ? undefined : action.id)
      },
    })

    app.route({
      ...schema.mergePeople,
      handler: async ({ params: { id }, body, user }, reply) => {
        const action = newAction('merge', user, 'merge')
        const merged = await mergePeople(longDb, action, id, body)
        return sendData(reply, merged, body.dry_run ? undefined : action.id)
      },
    })

    done()
  }
