import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { strings } from '#strings/general.ts'

interface LazyDialogProps {
  children: ReactNode
  close: () => void
}

/**
 * Wraps a dialog that `lazy` loads. If loading fails, because the service is unreachable or was updated, the screen
 * below stays as it is.
 */
export function LazyDialog({ children, close }: LazyDialogProps) {
  const fail = () => {
    notifications.show({
      color: 'red',
      title: strings.loadFailed,
      message: strings.chunkFailed,
      autoClose: false,
    })
    close()
  }
  return (
    <CatchBoundary getResetKey={() => 'dialog'} errorComponent={Nothing} onCatch={fail}>
      <Suspense fallback={<LoadingDialog />}>{children}</Suspense>
    </CatchBoundary>
  )
}

const Nothing = () => null

/** As if the dialog were open already: keys that are typed while it loads run no actions of the screen below. */
const LoadingDialog = () => <div role="dialog" aria-modal="true" hidden />

interface LazyPartProps {
  children: ReactNode
  fallback: ReactNode
}

/** Wraps a part of a screen that `lazy` loads. If loading fails, a message replaces the part. */
export function LazyPart({ children, fallback }: LazyPartProps) {
  return (
    <CatchBoundary getResetKey={() => 'part'} errorComponent={PartNotLoaded}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  )
}

const PartNotLoaded = () => (
  <Text size="sm" c="dimmed" role="alert">
    {strings.chunkFailed}
  </Text>
)
