import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { showNotLoaded } from './show-not-loaded.ts'

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
    showNotLoaded()
    close()
  }, [close])
  return null
}
