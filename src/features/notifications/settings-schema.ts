import { type Static, Type } from 'typebox'
import { Data, endpoint, Named, OneOf, Patch, Strict } from '#src/platform/schema/shapes.ts'
import {
  DEFAULT_DIGEST_HOUR,
  DEFAULT_MAIL,
  MAIL_TIMES,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from './schema.ts'

const mailTimes = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, OneOf(MAIL_TIMES)])) as Record<
  NotificationKind,
  ReturnType<typeof OneOf<typeof MAIL_TIMES>>
>

const digestHour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: 'The hour of your day at which you get the digest, and at which tasks of the day become due.',
})

export const NotificationSettings = Named('NotificationSettings', {
  mail: Type.Object(mailTimes, {
    description: 'now: at once. digest: in one mail a day. off: not at all. All of them are in the list.',
  }),
  digest_hour: digestHour,
  mail_available: Type.Boolean({ description: 'Whether the service can send mail.' }),
})
export type NotificationSettings = Static<typeof NotificationSettings>

const settingsExample: NotificationSettings = {
  mail: { ...DEFAULT_MAIL },
  digest_hour: DEFAULT_DIGEST_HOUR,
  mail_available: true,
}

/** Fields that a PATCH ignores. */
export const SETTINGS_READ_ONLY = ['mail_available'] as const

export const NotificationSettingsPatch = {
  ...Patch(
    { mail: Strict(Type.Partial(Type.Object(mailTimes))), digest_hour: digestHour },
    SETTINGS_READ_ONLY,
  ),
  title: 'NotificationSettingsPatch',
  examples: [{ mail: { deal_moved: 'now', note_added: 'off' }, digest_hour: 9 }],
}
export type NotificationSettingsPatch = Static<typeof NotificationSettingsPatch>

export const getNotificationSettings = endpoint('GET', '/api/notifications/settings', {
  operationId: 'getNotificationSettings',
  'x-action': 'read',
  tags: ['Notifications'],
  summary: 'Read how you are notified',
  description: 'With the defaults for what you have not changed.',
  response: { 200: Data(NotificationSettings, settingsExample) },
})

export const updateNotificationSettings = endpoint('PATCH', '/api/notifications/settings', {
  operationId: 'updateNotificationSettings',
  'x-action': 'account',
  tags: ['Notifications'],
  summary: 'Change how you are notified',
  description:
    'Kinds that are not sent keep their values. `notifications_enabled: false` in your preferences stops all mail.',
  body: NotificationSettingsPatch,
  response: { 200: Data(NotificationSettings, settingsExample) },
})
