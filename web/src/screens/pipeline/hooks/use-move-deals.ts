import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { MAX_CHANGED_DEALS } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { type Deal, service } from '#web/api/service.ts'
import { previousValues, withChanges } from '#web/editing/record-changes.ts'
import { type DealChanges, putDeal, readDeal } from '../deal-cache.ts'
import {
  CHANGE_DEAL,
  hideNotUpdated,
  notifyNotUpdated,
  refreshDeals,
  useUpdateDeal,
} from './use-update-deal.tsx'

interface Change {
  deals: readonly Deal[]
  changes: DealChanges
}

/** Makes the same changes to several deals. They show at once, and all roll back if the service rejects them. */
export function useUpdateDeals() {
  const queryClient = useQueryClient()
  const put = (deals: readonly Deal[], changesOf: (deal: Deal) => DealChanges) => {
    for (const deal of deals)
      putDeal(queryClient, withChanges(readDeal(queryClient, deal.id) ?? deal, changesOf(deal)))
  }
  return useMutation({
    scope: { id: 'deals' },
    mutationKey: CHANGE_DEAL,
    meta: { handlesErrors: true },
    mutationFn: ({ deals, changes }: Change) => {
      if (deals.length > MAX_CHANGED_DEALS) throw new UserFacingError(strings.tooMany(MAX_CHANGED_DEALS))
      return service.updateDeals({ body: { ids: deals.map(({ id }) => id), changes } })
    },
    onMutate: async ({ deals, changes }) => {
      await queryClient.cancelQueries({ queryKey: ['deals'] })
      put(deals, () => changes)
    },
    onSuccess: (_changed, { deals, changes }) => hideNotUpdated(deals, changes),
    onError: (error, { deals, changes }) => {
      put(deals, (deal) => previousValues(deal, changes))
      notifyNotUpdated(strings.manyNotUpdated(deals.length), error)
    },
    onSettled: (_changed, error) => refreshDeals(queryClient, error),
  })
}

export type MoveDeals = (deals: readonly Deal[], stage: string) => void

/**
 * Moves deals to another stage.
 * @param moved called with the deals in their new stage
 */
export function useMoveDeals(moved: (deals: Deal[]) => void): MoveDeals {
  const { mutateAsync: updateDeal } = useUpdateDeal()
  const { mutateAsync: updateDeals } = useUpdateDeals()
  return useCallback(
    async function move(deals, stage) {
      const moving = deals.filter((deal) => deal.stage !== stage)
      const [first, ...others] = moving
      if (!first) return
      const changes = { stage }
      const request =
        others.length === 0
          ? updateDeal({ deal: first, changes, retry: (deal) => move([deal], stage) })
          : updateDeals({ deals: moving, changes })
      const isMoved = await request.then(
        () => true,
        () => false,
      )
      if (isMoved) moved(moving.map((deal) => ({ ...deal, stage })))
    },
    [updateDeal, updateDeals, moved],
  )
}
