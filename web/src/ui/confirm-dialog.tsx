import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode, SubmitEvent } from 'react'
import { strings } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { Dialog } from './dialog.tsx'
import { useIsMounted } from './use-is-mounted.ts'

interface ConfirmDialogProps {
  title: string
  /** What happens next. */
  children: ReactNode
  /** The label of the button that does it. */
  confirm: string
  isDangerous?: boolean
  isDisabled?: boolean
  /** `isShown` says whether the dialog is still open, such as when the request ends. */
  act: (isShown: () => boolean) => Promise<unknown>
  close: () => void
}

/** Asks before something is done. If that fails, the dialog says why, or a notice does if it was closed before. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  isDangerous,
  isDisabled = false,
  act,
  close,
}: ConfirmDialogProps) {
  const isShown = useIsMounted()
  const action = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: () => act(isShown),
    onSuccess: () => {
      // Otherwise this would close the next dialog.
      if (isShown()) close()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // React passes the event on to a form around the dialog.
    event.stopPropagation()
    if (!isDisabled && !action.isPending) action.mutate()
  }
  return (
    <Dialog onClose={close} title={title} centered>
      <form onSubmit={submit}>
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
              type="submit"
              {...(isDangerous && { color: 'red.9' })}
              loading={action.isPending}
              disabled={isDisabled}
            >
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
