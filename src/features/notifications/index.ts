export { type NotificationText, readNotificationTexts } from './read.ts'
export { removeNotificationsAbout, removeNotificationsOf } from './remove.ts'
export {
  DEFAULT_DIGEST_HOUR,
  DEFAULT_MAIL,
  type MailTime,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from './schema.ts'
export { startNotifications, startReminders } from './work.ts'
