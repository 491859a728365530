import { notifications } from '@mantine/notifications'
import { strings } from '#strings/general.ts'

/** Says that something that someone wants to open could not be loaded. */
export const showNotLoaded = (): string =>
  notifications.show({
    color: 'red',
    title: strings.loadFailed,
    message: strings.chunkFailed,
    autoClose: false,
  })
