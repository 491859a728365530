import { notifications } from '@mantine/notifications'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'

/** Shows a notice that a view was not saved, with the reason. */
export const notify = (error: unknown): void => {
  notifications.show({
    color: 'red',
    title: general.notSaved,
    message: errorMessage(error),
    autoClose: 10_000,
  })
}
