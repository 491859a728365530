/** A separate module, so that it can be loaded on demand. */
export { Notifications as default } from '@mantine/notifications'
