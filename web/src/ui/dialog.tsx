import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

/**
 * A dialog that is open while it is mounted. It returns the focus when it unmounts; Mantine's modal does so only when
 * `opened` changes.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const before = useRef(document.activeElement)
  useEffect(() => {
    const opener = before.current
    return () => {
      setTimeout(() => {
        const isLost = document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement) opener.focus()
      })
    }
  }, [])
  return <Modal opened {...props} />
}
