import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import type { Db } from '#src/platform/database/database.ts'
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

    /** Ends sessions of a user and records that. `work` returns the ids of those that it ended. */
    const end = async (
      source: AuditSource,
      user_email: string,
      work: (transaction: Db) => Promise<string[]>,
    ): Promise<void> => {
      await db.transaction().execute(async (transaction) => {
        const session_ids = await work(transaction)
        if (session_ids.length > 0)
          await recordAudit(transaction, source, {
            event: 'session_ended',
            details: { user_email, session_ids },
          })
      })
      await access.applyChange()
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
      handler: async (request, reply) => {
        const { id } = request.params
        if (!request.user) throw new Unauthenticated('Sign in to manage your sessions.')
        const owner = await store.readSessionOwner(db, id)
        authorize(request.user, 'credentials', { owner })
        await end(request, owner, async (transaction) =>
          (await store.endSessionById(transaction, id)) ? [id] : [],
        )
        return reply.code(204).send(null)
      },
    })

    app.route({
      ...schema.endSessions,
      handler: async (request, reply) => {
        const owner = ownerOf(request.user, request.query.user_email)
        const current = request.user?.session?.id
        await end(request, owner, (transaction) => store.endSessionsOf(transaction, owner, current))
        return reply.code(204).send(null)
      },
    })

    done()
  }
