export { notify } from './consume.ts'
export { type NotificationText, readNotificationTexts } from './read.ts'
export { type Reminders, remind } from './reminders.ts'
export { deleteOldNotifications, removeNotificationsAbout, removeNotificationsOf } from './remove.ts'
export {
  DEFAULT_DIGEST_HOUR,
  DEFAULT_MAIL,
  type MailTime,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from './schema.ts'
export { notifyOfViews } from './views.ts'
