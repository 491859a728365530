export { type NotificationText, readNotificationTexts } from './read.ts'
export { DEFAULT_MAIL, type MailTime, type NotificationKind } from './schema.ts'
