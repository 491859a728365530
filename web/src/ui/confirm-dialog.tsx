import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode, SubmitEvent } from 'react'
import { strings } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { Dialog } from './dialog.tsx'
import { useIsMounted } from './use-is-mounted.ts'

interface ConfirmDialogProps {
  title: string
  /** The consequences. */
  children: ReactNode
  /** The label of the button that confirms. */
  confirm: string
  isDangerous?: boolean
  isDisabled?: boolean
  /** `isShown` says whether the dialog is still open, such as when the request ends. */
  act: (isShown: () => boolean) => Promise<unknown>
  close: () => void
}

/**
 * Asks for confirmation. If the action fails, the dialog shows the reason, or a notice does if the dialog is already
 * closed.
 */
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
      // After closing, this would close the next dialog.
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
