import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/pipeline.ts'
import { errorMessage, UserFacingError } from '#web/api/error-message.ts'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { isTransient } from '#web/api/query-client.ts'
import { type Deal, service } from '#web/api/service.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { isUntouched, previousValues, withChanges } from '#web/editing/record-changes.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { type DealChanges, putDeal, readDeal, reloadDeal } from '../deal-cache.ts'
import { companyNameOf } from '../deals.ts'

interface Change {
  /** As the user saw it. */
  deal: Deal
  changes: DealChanges
  /** Retries the change. Offered if the service or its database is down. */
  retry?: (deal: Deal) => void
}

/** The key of every mutation that changes deals. */
export const CHANGE_DEAL = ['change-deal']

/**
 * Changes a deal. The change shows at once, and rolls back if the service rejects it.
 * @param handlesErrors whether the caller shows the errors itself
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
    onSuccess: (deal, { changes }) => {
      hideNotUpdated([deal], changes)
      putDeal(queryClient, deal)
    },
    onError: (error, { deal, changes, retry }, before) => {
      const shown = readDeal(queryClient, deal.id)
      if (shown) putDeal(queryClient, withChanges(shown, previousValues(before ?? deal, changes)))
      if (!handlesErrors) notifyOneNotUpdated(queryClient, error, { deal, changes, retry })
    },
    onSettled: (_changed, error) => refreshDeals(queryClient, error),
  })
}

/** Refetches what depends on deals. Deals whose change was rejected are refetched at once, everything else soon. */
export function refreshDeals(queryClient: QueryClient, error: Error | null): void {
  // A refetch would show pending changes as not made.
  if (error && queryClient.isMutating({ mutationKey: CHANGE_DEAL }) <= 1)
    queryClient.invalidateQueries({ queryKey: ['deals'] })
  refreshAfterOwnChange({ kind: 'deal', id: null })
}

/** The notices with a Try again button, by the deals and fields that were not updated. */
const notices = new Map<string, string>()
const keyOf = ({ id }: Deal, changes: DealChanges) => [id, ...Object.keys(changes).sort()].join()

/** Removes the notices that the same fields of the deals were not updated. */
export function hideNotUpdated(deals: readonly Deal[], changes: DealChanges): void {
  for (const key of deals.map((deal) => keyOf(deal, changes))) {
    const shown = notices.get(key)
    if (shown) notifications.hide(shown)
    notices.delete(key)
  }
}

/**
 * Says that the change of a deal failed. If a dependency is down, the notice stays, with a button that retries the
 * change unless the deal has changed since.
 */
function notifyOneNotUpdated(queryClient: QueryClient, error: unknown, change: Change): void {
  const { deal, changes, retry } = change
  const title = strings.notUpdated(companyNameOf(deal))
  hideNotUpdated([deal], changes)
  if (!retry || !isTransient(error)) {
    notifyNotUpdated(title, error)
    return
  }
  const tryAgain = () => {
    if (!notices.has(keyOf(deal, changes))) return
    hideNotUpdated([deal], changes)
    // The service rejects the request if there is a newer change that this tab does not know yet.
    if (isUntouched(deal, changes, readDeal(queryClient, deal.id) ?? deal)) retry(deal)
    else notifyNotUpdated(title, new UserFacingError(strings.conflict))
  }
  notices.set(keyOf(deal, changes), notifyNotUpdated(title, error, tryAgain))
}

/** Shows a notice that a change failed. With a Try again button, the notice stays. */
export const notifyNotUpdated = (title: string, error: unknown, tryAgain?: () => void): string =>
  notifications.show({
    color: 'red',
    title,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" c="dimmed">
          {isConflict(error) ? strings.conflict : errorMessage(error)}
        </Text>
        {tryAgain && (
          <Button size="compact-sm" variant="default" onClick={tryAgain} style={{ flexShrink: 0 }}>
            {general.tryAgain}
          </Button>
        )}
      </Group>
    ),
    autoClose: tryAgain ? false : 10_000,
  })
