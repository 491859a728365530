import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { Unauthenticated } from '#src/platform/errors.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { normalizeEmail, type User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'

export const sessionRoutes =
  ({ access, authorize, config, db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    /** The user whose sessions are meant, who must be the caller or one that the caller manages. */
    const ownerOf = (user: User | null, email: string | undefined): string => {
      if (!user) throw new Unauthenticated('Sign in to manage your sessions.')
      const owner = email === undefined ? user.email : normalizeEmail(email)
      authorize(user, 'credentials', { owner })
      return owner
    }

    app.route({
      ...schema.listSessions,
      handler: async ({ query, user }, reply) => {
        const owner = ownerOf(user, query.user_email)
        const current = user?.session?.id
        const { sessionIdleMs: idleMs } = config.authentication
        const page = pageOf(query)
        return sendPage(reply, page, await store.listSessions(db, owner, { ...page, current, idleMs }))
      },
    })

    app.route({
      ...schema.endSession,
      handler: async ({ params: { id }, user }, reply) => {
        if (!user) throw new Unauthenticated('Sign in to manage your sessions.')
        authorize(user, 'credentials', { owner: await store.readSessionOwner(db, id) })
        await store.endSessionById(db, id)
        await access.applyChange()
        return reply.code(204).send(null)
      },
    })

    app.route({
      ...schema.endSessions,
      handler: async ({ query, user }, reply) => {
        const owner = ownerOf(user, query.user_email)
        await store.endSessionsOf(db, owner, user?.session?.id)
        await access.applyChange()
        return reply.code(204).send(null)
      },
    })

    done()
  }
