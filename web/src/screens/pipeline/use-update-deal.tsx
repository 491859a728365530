import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ServiceUnreachable } from '#src/client/errors.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/pipeline.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { isTransient } from '#web/service/query-client.ts'
import { type Deal, service } from '#web/service/service.ts'
import { putDeal, readDeal, reloadDeal } from './deal-cache.ts'
import { type DealChanges, formerValues, isUntouched, withChanges } from './deal-changes.ts'
import { companyNameOf } from './deals.ts'

interface Change {
  /** As the user saw it. */
  deal: Deal
  changes: DealChanges
  /** Makes the change again, if it fails because the service or its database is down. */
  again?: () => void
}

/** Of every mutation that changes deals. */
export const CHANGE_DEAL = ['change-deal']

/**
 * Changes a deal: at once on screen, rolled back if the service refuses.
 * @param handlesErrors the caller shows the errors itself
 */
export function useUpdateDeal(handlesErrors = false) {
  const queryClient = useQueryClient()
  return useMutation({
    // One at a time, so that each request carries the time of the previous change.
    scope: { id: 'deals' },
    mutationKey: CHANGE_DEAL,
    meta: { handlesErrors: true },
    mutationFn: ({ deal, changes }: Change) =>
      saveIfUnchanged({
        record: readDeal(queryClient, deal.id) ?? deal,
        send: async (updatedAt) => {
          const request = { params: { id: deal.id }, body: changes, ...ifMatch(updatedAt) }
          return (await service.updateDeal(request)).data
        },
        reload: () => reloadDeal(deal),
        isUnchanged: (newest) => isUntouched(deal, changes, newest),
      }),
    onMutate: async ({ deal, changes }) => {
      await queryClient.cancelQueries({ queryKey: ['deals'] })
      const shown = readDeal(queryClient, deal.id) ?? deal
      putDeal(queryClient, withChanges(shown, changes))
      return shown
    },
    onSuccess: (deal) => putDeal(queryClient, deal),
    onError: (error, { deal, changes, again }, before) => {
      const shown = readDeal(queryClient, deal.id)
      if (shown) putDeal(queryClient, withChanges(shown, formerValues(before ?? deal, changes)))
      if (!handlesErrors) notifyNotUpdated(strings.notUpdated(companyNameOf(deal)), error, again)
    },
    onSettled: (_changed, _error, { deal }) => refetchDeals(queryClient, [deal]),
  })
}

/** Refetches what depends on deals, unless more changes are waiting: that would show them as not made. */
export function refetchDeals(queryClient: QueryClient, deals: readonly Deal[]): void {
  if (queryClient.isMutating({ mutationKey: CHANGE_DEAL }) > 1) return
  for (const queryKey of [['deals'], ['stats'], ['activity']]) queryClient.invalidateQueries({ queryKey })
  for (const id of new Set(deals.map(({ company_id }) => company_id)))
    queryClient.invalidateQueries({ queryKey: ['companies', 'one', id] })
}

function messageOf(error: unknown): string {
  if (isConflict(error)) return strings.conflict
  return error instanceof ServiceUnreachable ? strings.unreachable : errorMessage(error)
}

/** Says that a change failed. If it failed because something is down, the notice stays, with a button that tries again. */
export function notifyNotUpdated(title: string, error: unknown, again?: () => void): void {
  const mayTryAgain = again !== undefined && isTransient(error)
  const tryAgain = () => {
    notifications.hide(id)
    again?.()
  }
  const id = notifications.show({
    color: 'red',
    title,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" c="dimmed">
          {messageOf(error)}
        </Text>
        {mayTryAgain && (
          <Button size="compact-sm" variant="default" onClick={tryAgain} style={{ flexShrink: 0 }}>
            {general.tryAgain}
          </Button>
        )}
      </Group>
    ),
    autoClose: mayTryAgain ? false : 10_000,
  })
}
