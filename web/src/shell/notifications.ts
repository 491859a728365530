/** In a file of its own, so that it is loaded by itself. */
export { Notifications as default } from '@mantine/notifications'
