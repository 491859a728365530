import { type Static, Type } from 'typebox'
import { NamedAboutEntry } from '#src/features/links/schema.ts'
import { repeatedChoice } from '#src/platform/filter/schema.ts'
import { Data, endpoint, Named, Nullable, OneOf, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

export const NOTIFICATION_KINDS = [
  'mentioned',
  'assigned',
  'task_due',
  'task_overdue',
  'task_returned',
  'deal_moved',
  'vote_asked',
  'note_added',
  'file_infected',
  'view_has_new',
  'import_ended',
  'bulk_action_ended',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** The kinds of records that a notification can open. */
export const SUBJECT_TYPES = [
  'note',
  'decision',
  'task',
  'file',
  'deal',
  'company',
  'person',
  'thesis',
  'view',
  'import',
  'bulk_action',
] as const
export type SubjectType = (typeof SUBJECT_TYPES)[number]

export const MAIL_TIMES = ['now', 'digest', 'off'] as const
export type MailTime = (typeof MAIL_TIMES)[number]

/** How each kind is mailed unless a user has chosen otherwise. */
export const DEFAULT_MAIL: Readonly<Record<NotificationKind, MailTime>> = {
  mentioned: 'now',
  assigned: 'now',
  task_due: 'digest',
  task_overdue: 'digest',
  task_returned: 'now',
  deal_moved: 'digest',
  vote_asked: 'now',
  note_added: 'digest',
  file_infected: 'now',
  view_has_new: 'digest',
  import_ended: 'off',
  bulk_action_ended: 'off',
}
export const DEFAULT_DIGEST_HOUR = 8

export const MAX_NOTIFICATIONS = 200
export const MAX_MARKED = 1000

export const Notification = Named('Notification', {
  id: Type.String(),
  kind: OneOf(NOTIFICATION_KINDS),
  at: Timestamp,
  read_at: Nullable(Timestamp),
  done_at: Nullable(Timestamp),
  actor_email: Nullable(Type.String({ description: 'Who did it; null if no one did, or it is unknown.' })),
  about: Type.Array(NamedAboutEntry, {
    description: 'The companies, deals, people, and theses that its subject is about.',
  }),
  subject: Type.Object(
    {
      type: OneOf(SUBJECT_TYPES),
      id: Type.String(),
      name: Nullable(
        Type.String({ description: 'null for a private note or file, and where the subject has no name.' }),
      ),
    },
    { description: 'The record that it opens. Of several, the first.' },
  ),
  action_id: Nullable(
    Type.String({
      description: 'The action that caused it. With several records, its page shows all of them.',
    }),
  ),
  count: Type.Integer({ description: 'How many records of the same action it is about.' }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Of a deal that moved, the stages `from` and `to`. Of a task, `due_on` or `due_at`. Of an infected file, what was `found`.',
  }),
  text: Type.String({
    description: 'One sentence. It never contains text of a private note, or the name of a private file.',
  }),
})
export type Notification = Static<typeof Notification>

export const notificationExample: Notification = {
  id: 'ntf_01jw3f8x6b2d4f6h8k0m2p4r6t',
  kind: 'mentioned',
  at: '2026-03-02T09:30:00.000Z',
  read_at: null,
  done_at: null,
  actor_email: 'ben@example.com',
  about: [{ type: 'company', id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s', name: 'Nordlys Robotics' }],
  subject: { type: 'note', id: 'note_01jw3f8x6c1e3g5j7k9n1q3s5v', name: 'Call with the founders' },
  action_id: 'ax_01jw3f8x6a1c3e5g7j9k1m3p5r',
  count: 1,
  details: {},
  text: 'Ben Okafor mentioned you in a note about Nordlys Robotics',
}

export const NotificationQuery = Strict(
  Type.Object({
    unread: Type.Optional(
      Type.Boolean({ description: 'true: those that you have not read; false: those that you have.' }),
    ),
    done: Type.Boolean({ default: false, description: 'true: those that are done instead of the others.' }),
    kind: repeatedChoice(NOTIFICATION_KINDS),
    limit: Type.Integer({
      minimum: 1,
      maximum: MAX_NOTIFICATIONS,
      'x-capped': true,
      default: 50,
      description: `Notifications per page. Capped at ${MAX_NOTIFICATIONS}.`,
    }),
    before: Type.Optional(
      Type.String({ maxLength: 500, description: 'The `next` of the page before: it continues there.' }),
    ),
  }),
)
export type NotificationQuery = Static<typeof NotificationQuery>

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: MAX_MARKED,
  description: 'Ids of your notifications. Others are ignored.',
})

export const MarkedUntil = Strict(
  Type.Object(
    {
      ids: Type.Optional(ids),
      before: Type.Optional(
        Type.String({ format: 'date-time', description: 'Instead of `ids`: all up to this time.' }),
      ),
    },
    { examples: [{ before: '2026-03-02T09:30:00.000Z' }] },
  ),
)
export type MarkedUntil = Static<typeof MarkedUntil>

export const Marked = Strict(Type.Object({ ids }, { examples: [{ ids: [notificationExample.id] }] }))

const MarkResult = Named('MarkedNotifications', {
  changed: Type.Integer({ description: 'How many were not marked so before.' }),
  unread: Type.Integer({ description: 'How many you have not read that are not done.' }),
})
export type MarkResult = Static<typeof MarkResult>

const tags = ['Notifications']
const markResponse = { 200: Data(MarkResult, { changed: 3, unread: 0 }) }

export const listNotifications = endpoint('GET', '/api/notifications', {
  operationId: 'listNotifications',
  'x-action': 'read',
  tags,
  summary: 'List your notifications',
  description:
    'Newest first, without those that are done. Those about records that you may not see, or that are in the trash, are left out. Notifications are kept for 90 days.',
  querystring: NotificationQuery,
  response: {
    200: Type.Object(
      {
        data: Type.Array(Notification),
        next: Nullable(
          Type.String({ description: 'Send it as `before` for the next page; null: there is none.' }),
        ),
        unread: Type.Integer({ description: 'How many you have not read that are not done, of all kinds.' }),
      },
      { title: 'NotificationList', examples: [{ data: [notificationExample], next: null, unread: 1 }] },
    ),
  },
})

export const markNotificationsRead = endpoint('POST', '/api/notifications/read', {
  operationId: 'markNotificationsRead',
  'x-action': 'read',
  tags,
  summary: 'Mark notifications as read',
  description: 'Either `ids` or `before`.',
  body: MarkedUntil,
  response: markResponse,
})

export const markNotificationsUnread = endpoint('POST', '/api/notifications/unread', {
  operationId: 'markNotificationsUnread',
  'x-action': 'read',
  tags,
  summary: 'Mark notifications as unread',
  description: 'Those that are done stay done.',
  body: Marked,
  response: markResponse,
})

export const markNotificationsDone = endpoint('POST', '/api/notifications/done', {
  operationId: 'markNotificationsDone',
  'x-action': 'read',
  tags,
  summary: 'Mark notifications as done',
  description:
    'The list leaves them out from then on, and they no longer count as unread. Either `ids` or `before`.',
  body: MarkedUntil,
  response: markResponse,
})

export const markNotificationsUndone = endpoint('POST', '/api/notifications/undone', {
  operationId: 'markNotificationsUndone',
  'x-action': 'read',
  tags,
  summary: 'Put notifications back that are done',
  description: 'They return to their place in the list, as read.',
  body: Marked,
  response: markResponse,
})
