import { notifications } from '@mantine/notifications'
import { strings } from '#strings/general.ts'

/** Shows a notice that a part the user wants to open could not be loaded. */
export const showNotLoaded = (): string =>
  notifications.show({
    color: 'red',
    title: strings.loadFailed,
    message: strings.chunkFailed,
    autoClose: false,
  })
