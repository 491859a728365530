import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { strings } from '#strings/general.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  /** What happens next. */
  children: ReactNode
  /** The label of the button that does it. */
  confirm: string
  isDangerous?: boolean
  act: () => Promise<unknown>
  close: () => void
}

/** Asks before something is done. If that fails, the dialog stays open and says why. */
export function ConfirmDialog({ title, children, confirm, isDangerous, act, close }: ConfirmDialogProps) {
  const action = useMutation({ meta: { handlesErrors: true }, mutationFn: act, onSuccess: close })
  return (
    <Dialog onClose={close} title={title} centered>
      <Stack>
        <Text size="sm" component="div" className="break-anywhere">
          {children}
        </Text>
        {action.isError && (
          <Alert color="red" title={strings.actionFailed} role="alert">
            {errorMessage(action.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            {strings.cancel}
          </Button>
          <Button
            {...(isDangerous && { color: 'red.9' })}
            loading={action.isPending}
            onClick={() => action.mutate()}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
