import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/bulk-actions.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { type BulkAction, service } from '#web/api/service.ts'
import { pendingCount } from '#web/bulk-actions/action-labels.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'

interface CancelDialogProps {
  action: BulkAction
  close: () => void
}

/** Asks before a bulk action is canceled, and says what is kept. */
export function CancelDialog({ action, close }: CancelDialogProps) {
  const queryClient = useQueryClient()
  const isShown = useIsMounted()
  const cancel = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: async () =>
      (await service.updateBulkAction({ params: { id: action.id }, body: { status: 'cancelled' } })).data,
    onSuccess: (canceled) => {
      queryClient.setQueryData(queries.bulkAction(action.id).queryKey, canceled)
      if (isShown()) close()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['bulk-actions'] }),
  })
  return (
    <Dialog onClose={close} title={strings.cancelTitle} centered>
      <Stack>
        <Text size="sm">
          {strings.cancelHelp(action.processed_companies + action.failed_companies, pendingCount(action))}
        </Text>
        {cancel.isError && (
          <Alert color="red" title={strings.notCancelled} role="alert">
            {errorMessage(cancel.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            {strings.keepRunning}
          </Button>
          <Button color="red.9" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {strings.cancelConfirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
