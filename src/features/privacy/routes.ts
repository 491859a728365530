import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import type { RecordKind } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ACTION_HEADER, sendPage, streamData } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './contacts/contact-schema.ts'
import { eraseContact } from './contacts/erase-contact.ts'
import { exportContact } from './contacts/export-contact.ts'
import { listDueContacts } from './contacts/retention.ts'

/** Requests about contacts' personal data. Commands handle that of users. */
export const privacyRoutes =
  ({ config, longDb }: Context, kinds: readonly RecordKind[]): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listDueContacts,
      handler: async ({ query }, reply) => {
        const reading = cancelable(longDb, disconnectSignal(reply))
        const page = await listDueContacts(reading, config.contactRetentionMonths, pageOf(query))
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...schema.getPersonalData,
      handler: async (request, reply) => {
        return streamData(reply, await exportContact(longDb, request.params.id, request))
      },
    })

    app.route({
      ...schema.eraseContact,
      handler: async (request, reply) => {
        const { params, body } = request
        const erasure = await eraseContact({ db: longDb, kinds }, params.id, body, request)
        if (erasure.action_id) reply.header(ACTION_HEADER, erasure.action_id)
        return { data: erasure }
      },
    })
    done()
  }
