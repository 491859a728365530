import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { recordAudit } from '#src/features/audit/index.ts'
import { Unauthenticated } from '#src/platform/errors.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { normalizeEmail, type User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { createKey } from './create.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const keyRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { access, authorize, db } = context

    app.route({
      ...schema.createKey,
      handler: async (request, reply) => {
        const user = required(request.user)
        return reply.code(201).send({ data: await createKey(context, request, user, request.body) })
      },
    })

    app.route({
      ...schema.listKeys,
      handler: async ({ query, user }, reply) => {
        const caller = required(user)
        const owner = query.user_email === undefined ? caller.email : normalizeEmail(query.user_email)
        authorize(caller, 'credentials', { owner })
        return sendPage(reply, pageOf(query), await store.listKeys(db, owner, pageOf(query)))
      },
    })

    app.route({
      ...schema.revokeKey,
      handler: async (request, reply) => {
        const { id } = request.params
        authorize(required(request.user), 'credentials', { owner: await store.readKeyOwner(db, id) })
        await db.transaction().execute(async (transaction) => {
          const revoked = await store.revokeKey(transaction, id)
          if (revoked)
            await recordAudit(transaction, request, { event: 'key_revoked', details: { ...revoked } })
        })
        await access.applyChange()
        return reply.code(204).send(null)
      },
    })

    done()
  }

/** @throws Unauthenticated */
function required(user: User | null): User {
  if (!user) throw new Unauthenticated('Sign in to manage your API keys.')
  return user
}
