import { notifications } from '@mantine/notifications'
import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { strings } from '#strings/general.ts'

interface LazyDialogProps {
  children: ReactNode
  close: () => void
}

/**
 * Around a dialog that is loaded when it is first opened. When it cannot be loaded, because the service is out of reach or
 * has been replaced by another version, the screen below stays as it is.
 */
export function LazyDialog({ children, close }: LazyDialogProps) {
  return (
    <CatchBoundary getResetKey={() => 'dialog'} errorComponent={() => <NotLoaded close={close} />}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  )
}

function NotLoaded({ close }: { close: () => void }) {
  useEffect(() => {
    notifications.show({
      color: 'red',
      title: strings.somethingFailed,
      message: strings.notLoaded,
      autoClose: false,
    })
    close()
  }, [close])
  return null
}
