import { Modal, type ModalProps } from '@mantine/core'
import { useReturnFocus } from '#web/browser/focus.ts'

/**
 * A dialog that is open while it is mounted. It returns the focus when it unmounts; Mantine's modal does so only when
 * `opened` changes.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useReturnFocus()
  return <Modal opened {...props} />
}
