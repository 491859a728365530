import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { requireUser } from '#src/platform/identity/require-user.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { markNotifications } from './mark.ts'
import { listNotifications } from './read.ts'
import * as schema from './schema.ts'
import { readSettings, updateSettings } from './settings.ts'
import * as settingsSchema from './settings-schema.ts'

/** @param mailAvailable whether the service can send mail */
export const notificationRoutes =
  ({ db }: Context, { mailAvailable }: { mailAvailable: boolean }): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listNotifications,
      handler: ({ query, user }) => listNotifications(db, requireUser(user).email, query),
    })

    app.route({
      ...schema.markNotificationsRead,
      handler: async ({ body, user }) => ({
        data: await markNotifications(db, requireUser(user).email, 'read', body),
      }),
    })

    app.route({
      ...schema.markNotificationsUnread,
      handler: async ({ body, user }) => ({
        data: await markNotifications(db, requireUser(user).email, 'unread', body),
      }),
    })

    app.route({
      ...schema.markNotificationsDone,
      handler: async ({ body, user }) => ({
        data: await markNotifications(db, requireUser(user).email, 'done', body),
      }),
    })

    app.route({
      ...schema.markNotificationsUndone,
      handler: async ({ body, user }) => ({
        data: await markNotifications(db, requireUser(user).email, 'undone', body),
      }),
    })

    app.route({
      ...settingsSchema.getNotificationSettings,
      handler: async ({ user }) => ({ data: await readSettings(db, requireUser(user).email, mailAvailable) }),
    })

    app.route({
      ...settingsSchema.updateNotificationSettings,
      handler: async ({ body, user }) => {
        const { email } = requireUser(user)
        await updateSettings(db, email, withoutReadOnly(body, settingsSchema.SETTINGS_READ_ONLY))
        return { data: await readSettings(db, email, mailAvailable) }
      },
    })
    done()
  }
