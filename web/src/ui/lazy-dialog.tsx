import { notifications } from '@mantine/notifications'
import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { strings } from '#strings/general.ts'

interface LazyDialogProps {
  children: ReactNode
  close: () => void
}

/**
 * Wraps a dialog that is loaded on demand. If loading fails, because the service is unreachable or was updated, the
 * screen below stays as it is.
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
      title: strings.loadFailed,
      message: strings.chunkFailed,
      autoClose: false,
    })
    close()
  }, [close])
  return null
}
