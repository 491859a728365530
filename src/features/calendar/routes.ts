import { createHash } from 'node:crypto'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import fresh from 'fresh'
import type { Context } from '#src/context.ts'
import { Unauthenticated } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { createCalendar } from './create.ts'
import { readCalendarFile } from './read-file.ts'
import { deleteCalendar } from './remove.ts'
import * as schema from './schema.ts'
import { readCalendar } from './store.ts'

export const calendarRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.getCalendar,
      handler: async ({ user }) => ({ data: await readCalendar(context.db, required(user)) }),
    })

    app.route({
      ...schema.createCalendar,
      handler: async (request, reply) =>
        reply.code(201).send({ data: await createCalendar(context, request, required(request.user)) }),
    })

    app.route({
      ...schema.deleteCalendar,
      handler: async (request, reply) => {
        await deleteCalendar(context.db, request, required(request.user))
        return reply.code(204).send(null)
      },
    })

    app.route({
      ...schema.getCalendarFile,
      handler: async ({ params, headers }, reply) => {
        const file = await readCalendarFile(context, params.file)
        const etag = `"${createHash('sha256').update(file).digest('base64url').slice(0, 22)}"`
        reply.header('etag', etag).header('cache-control', 'private, no-cache')
        const condition = { 'if-none-match': headers['if-none-match'] }
        if (condition['if-none-match'] && fresh(condition, { etag })) return reply.code(304).send(null)
        return reply.type('text/calendar; charset=utf-8').send(file)
      },
    })

    done()
  }

/** @throws Unauthenticated */
function required(user: User | null): string {
  if (!user) throw new Unauthenticated('Sign in to manage your calendar address.')
  return user.email
}
