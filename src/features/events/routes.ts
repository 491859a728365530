import { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { sendEvents, sendJson } from '#src/platform/http/replies.ts'
import { isStillAllowed, openUntil } from '#src/platform/identity/identity.ts'
import { listEvents } from './list.ts'
import * as listSchema from './list-schema.ts'
import type { EventRecords } from './records.ts'
import * as schema from './schema.ts'
import { readEvents } from './store.ts'
import { ChangeStreams } from './streams.ts'

export const eventRoutes =
  (context: Context, records: EventRecords): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { db, eventStreams } = context
    const streams = new ChangeStreams((previous) => readEvents(db, previous), eventStreams)

    app.route({
      ...schema.getEvents,
      handler: async ({ method, headers, user, ip }, reply) => {
        if (method === 'HEAD') return sendEvents(reply, Readable.from([]))
        const lastEventId = headers['last-event-id'] || undefined
        const events = await streams.open({
          ...{ caller: callerOf(user, ip), expires: openUntil(user), email: user?.email },
          ...(lastEventId !== undefined && { lastEventId }),
          isAllowed: () => isStillAllowed(context, user, 'read'),
        })
        return sendEvents(reply, events)
      },
    })
    app.route({
      ...listSchema.listEvents,
      handler: async ({ query, user }, reply) => {
        const { events, next } = await listEvents(
          cancelable(db, disconnectSignal(reply)),
          user,
          records,
          query,
        )
        return sendJson(reply, `{"data":${events},"next":${JSON.stringify(next)}}`)
      },
    })
    done()
  }
