import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconBan, IconBell, IconHistory, IconRotateClockwise } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { strings } from '#strings/bulk-actions.ts'
import { queries } from '#web/api/queries.ts'
import { type BulkAction, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useBrowserPermission } from '#web/browser/use-browser-permission.ts'
import { pendingCount } from '#web/bulk-actions/action-labels.ts'
import { isInProgress } from '#web/bulk-actions/latest-bulk-actions.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { CancelDialog } from './cancel-dialog.tsx'

/** The buttons of a bulk action. Only its owner may retry it; admins may cancel it too. */
export function ActionButtons({ action }: { action: BulkAction }) {
  const queryClient = useQueryClient()
  const me = useQuery(queries.me())
  const status = useQuery(queries.authenticationStatus())
  const [isConfirming, cancelDialog] = useDisclosure(false)
  const retry = useMutation({
    mutationFn: async () => (await service.retryBulkAction({ params: { id: action.id } })).data,
    onSuccess: (reopened) => queryClient.setQueryData(queries.bulkAction(action.id).queryKey, reopened),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['bulk-actions'] }),
  })
  const mayChange =
    useCan('bulk') && (me.data?.email === action.user_email || status.data?.mode === 'development')
  const mayCancelOthers = useCan('cancel_others')
  const inProgress = isInProgress(action)
  const mayCancel = inProgress && (mayChange || mayCancelOthers)
  // A stopped action leaves companies that were not tried.
  const left = action.status === 'failed' ? pendingCount(action) : 0
  const retried = action.failed_companies + left
  const mayRetry = mayChange && retried > 0 && action.status !== 'cancelled'
  const hasChanges =
    !inProgress && action.action_type !== 'generate_embeddings' && action.processed_companies > 0
  // The id of the ledger's entry of a bulk action has the same ending.
  const changes = {
    to: '/activity/actions/$id',
    params: { id: action.id.replace(/^ba_/, 'ax_') },
  } as const
  const navigate = useNavigate()
  const group = strings.bulkAction
  useActions([
    mayRetry && {
      id: 'retry',
      label: strings.retry(retried),
      group,
      run: retry.mutate,
      disabled: retry.isPending,
    },
    hasChanges && { id: 'changes', label: strings.changes, group, run: () => navigate(changes) },
    mayCancel && { id: 'cancel', label: strings.cancelConfirm, group, run: cancelDialog.open },
  ])
  return (
    <>
      {inProgress && <NotifyButton />}
      {mayRetry && (
        <Button
          variant={inProgress ? 'default' : 'filled'}
          leftSection={<IconRotateClockwise size={16} aria-hidden />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {strings.retry(retried)}
        </Button>
      )}
      {hasChanges && (
        <ScreenButton {...changes} variant="default" leftSection={<IconHistory size={16} aria-hidden />}>
          {strings.changes}
        </ScreenButton>
      )}
      {mayCancel && (
        <Button variant="default" leftSection={<IconBan size={16} aria-hidden />} onClick={cancelDialog.open}>
          {strings.cancel}
        </Button>
      )}
      {isConfirming && inProgress && <CancelDialog action={action} close={cancelDialog.close} />}
    </>
  )
}

/** Asks for permission to show notifications. Hidden once the user has answered, or has turned notifications off. */
function NotifyButton() {
  const isOptedOut = useQuery(queries.me()).data?.preferences.notifications_enabled === false
  const [permission, ask] = useBrowserPermission()
  if (permission !== 'default' || isOptedOut) return null
  const askPermission = async () => {
    const answer = await ask()
    if (answer === 'default') return
    notifications.show({ message: answer === 'granted' ? strings.willNotify : strings.notificationsBlocked })
  }
  return (
    <Button variant="default" leftSection={<IconBell size={16} aria-hidden />} onClick={askPermission}>
      {strings.notifyMe}
    </Button>
  )
}
