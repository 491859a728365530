import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { Context } from '#src/context.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import type { TimelineQuery } from './schema.ts'
import * as schema from './schema.ts'
import { readTimeline, type TimelineType } from './timeline.ts'

export const timelineRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const read = (
      type: TimelineType,
      { params, query, user }: { params: { id: string }; query: TimelineQuery; user: Viewer },
      reply: FastifyReply,
    ) => readTimeline(cancelable(db, disconnectSignal(reply)), user, type, params.id, query)

    app.route({
      ...schema.getCompanyTimeline,
      handler: (request, reply) => read('company', request, reply),
    })
    app.route({ ...schema.getDealTimeline, handler: (request, reply) => read('deal', request, reply) })
    app.route({ ...schema.getPersonTimeline, handler: (request, reply) => read('person', request, reply) })
    app.route({ ...schema.getThesisTimeline, handler: (request, reply) => read('thesis', request, reply) })
    done()
  }
