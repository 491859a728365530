import { Button, Stack, Text } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { strings } from '#strings/general.ts'
import { Dialog } from './dialog.tsx'

/**
 * Around a dialog that is loaded when it is first opened. When it cannot be loaded, because the service is out of reach or
 * has been replaced by another version, the screen below stays as it is.
 */
export function LazyDialog({ children, close }: { children: ReactNode; close: () => void }) {
  const Failed = () => (
    <Dialog onClose={close} title={strings.somethingFailed}>
      <Stack align="flex-start">
        <Text size="sm">{strings.notLoaded}</Text>
        <Button onClick={() => location.reload()}>{strings.reload}</Button>
      </Stack>
    </Dialog>
  )
  return (
    <CatchBoundary getResetKey={() => 'dialog'} errorComponent={Failed}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  )
}
