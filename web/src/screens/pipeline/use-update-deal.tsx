import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/pipeline.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { errorMessage, UserFacingError } from '#web/service/error-message.ts'
import { isTransient } from '#web/service/query-client.ts'
import { type Deal, service } from '#web/service/service.ts'
import { putDeal, readDeal, reloadDeal } from './deal-cache.ts'
import { type DealChanges, formerValues, isUntouched, withChanges } from './deal-changes.ts'
import { companyNameOf } from './deals.ts'

/** Retries a change of deals that nobody has changed since. Offered if the service or its database is down. */
type Retry = (deals: readonly Deal[]) => void

export interface ChangeOf {
  changes: DealChanges
  retry?: Retry
}

interface Change extends ChangeOf {
  /** As the user saw it. */
  deal: Deal
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
    onSuccess: (deal) => {
      hideNotUpdated([deal])
      putDeal(queryClient, deal)
    },
    onError: (error, { deal, changes, retry }, before) => {
      const shown = readDeal(queryClient, deal.id)
      if (shown) putDeal(queryClient, withChanges(shown, formerValues(before ?? deal, changes)))
      const title = strings.notUpdated(companyNameOf(deal))
      if (!handlesErrors) notifyNotUpdated(queryClient, { title, error, deals: [deal], changes, retry })
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

interface NotUpdated {
  title: string
  error: unknown
  /** As the user saw them. */
  deals: readonly Deal[]
  changes: DealChanges
  retry: Retry | undefined
}

/** The notices on screen, by the deals that were not updated. */
const notices = new Map<string, string>()
const keyOf = (deals: readonly Deal[]) => deals.map(({ id }) => id).join()

/** Removes the notice that the deals were not updated. */
export function hideNotUpdated(deals: readonly Deal[]): void {
  const shown = notices.get(keyOf(deals))
  if (shown) notifications.hide(shown)
  notices.delete(keyOf(deals))
}

/**
 * Says that a change failed. If it failed because something is down, the notice stays, with a button that retries the change
 * of the deals that still have the values that the user saw.
 */
export function notifyNotUpdated(queryClient: QueryClient, failed: NotUpdated): void {
  const { title, error, deals, changes, retry } = failed
  const canRetry = retry && isTransient(error)
  const tryAgain = () => {
    hideNotUpdated(deals)
    const current = (deal: Deal) => readDeal(queryClient, deal.id) ?? deal
    const untouched = deals.filter((deal) => isUntouched(deal, changes, current(deal)))
    if (untouched.length > 0) retry?.(untouched)
    else notifyNotUpdated(queryClient, { ...failed, error: new UserFacingError(strings.conflict) })
  }
  hideNotUpdated(deals)
  const shown = notifications.show({
    color: 'red',
    title,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" c="dimmed">
          {isConflict(error) ? strings.conflict : errorMessage(error)}
        </Text>
        {canRetry && (
          <Button size="compact-sm" variant="default" onClick={tryAgain} style={{ flexShrink: 0 }}>
            {general.tryAgain}
          </Button>
        )}
      </Group>
    ),
    autoClose: canRetry ? false : 10_000,
  })
  notices.set(keyOf(deals), shown)
}
