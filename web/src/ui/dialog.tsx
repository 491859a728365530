import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

/**
 * A dialog that is open for as long as it is there. When it goes, the focus is where it was before: Mantine's own gives it
 * back only when `opened` changes.
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
