import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { Forbidden } from '#src/platform/errors.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { normalizeEmail } from '#src/platform/identity/identity.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const userRoutes =
  ({ db, config }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listUsers,
      handler: async ({ query }, reply) => sendPage(reply, pageOf(query), await store.listUsers(db, query)),
    })

    app.route({
      ...schema.getUser,
      handler: async ({ params }, reply) =>
        sendData(reply, await store.lookUpUser(db, normalizeEmail(params.email))),
    })

    app.route({
      ...schema.updateUser,
      handler: async ({ params, body, user }, reply) => {
        const email = normalizeEmail(params.email)
        if (config.production && user?.email !== email)
          throw new Forbidden('Each user may change only their own preferences.')
        const patch = await withoutReadOnly(withKnownEmail(body), schema.USER_READ_ONLY, () =>
          store.lookUpUser(db, email),
        )
        return sendData(reply, await store.updatePreferences(db, email, patch.preferences ?? {}))
      },
    })

    done()
  }

/** The body with its email address in the one spelling in which users have theirs. */
const withKnownEmail = <T extends object>(body: T): T =>
  'email' in body && typeof body.email === 'string' ? { ...body, email: normalizeEmail(body.email) } : body
