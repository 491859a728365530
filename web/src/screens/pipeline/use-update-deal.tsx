import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { strings } from '#strings/pipeline.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { type Deal, service } from '#web/service/service.ts'
import { formatWord } from '#web/words/format.ts'
import { putDeal, readDeal, reloadDeal } from './deal-cache.ts'
import { companyNameOf } from './deals.ts'

type DealChanges = Partial<Pick<Deal, 'stage' | 'probability' | 'status' | 'notes'>>

interface Change {
  /** As the user saw it. */
  deal: Deal
  changes: DealChanges
}

const MUTATION_KEY = ['change-deal']

const fieldsOf = (changes: DealChanges) => Object.keys(changes) as (keyof DealChanges)[]

/** Changes a deal: at once on screen, rolled back if the service refuses. */
export function useUpdateDeal() {
  const queryClient = useQueryClient()
  return useMutation({
    // One at a time, so that each request carries the time of the previous change.
    scope: { id: 'deals' },
    mutationKey: MUTATION_KEY,
    meta: { handlesErrors: true },
    mutationFn: ({ deal, changes }: Change) =>
      saveIfUnchanged({
        record: readDeal(queryClient, deal.id) ?? deal,
        send: async (updatedAt) => {
          const request = { params: { id: deal.id }, body: changes, ...ifMatch(updatedAt) }
          return (await service.updateDeal(request)).data
        },
        reload: () => reloadDeal(deal),
        isUnchanged: (newest) =>
          fieldsOf(changes).every((field) => [deal[field], changes[field]].includes(newest[field])),
      }),
    onMutate: async ({ deal, changes }) => {
      await queryClient.cancelQueries({ queryKey: ['deals'] })
      const shown = readDeal(queryClient, deal.id) ?? deal
      putDeal(queryClient, { ...shown, ...changes })
      return shown
    },
    onSuccess: (deal) => putDeal(queryClient, deal),
    onError: (error, { deal, changes }, before) => {
      const shown = readDeal(queryClient, deal.id)
      const undone = fieldsOf(changes).map((field) => [field, (before ?? deal)[field]])
      if (shown) putDeal(queryClient, { ...shown, ...Object.fromEntries(undone) })
      notifications.show({
        color: 'red',
        title: strings.notUpdated(companyNameOf(deal)),
        message: (
          <Text size="sm" c="dimmed">
            {isConflict(error) ? strings.conflict : errorMessage(error)}
          </Text>
        ),
        autoClose: 10_000,
      })
    },
    onSettled: (_changed, _error, { deal }) => {
      // A refetch between two changes would show the second one as not made.
      if (queryClient.isMutating({ mutationKey: MUTATION_KEY }) > 1) return
      for (const queryKey of [['deals'], ['companies', 'one', deal.company_id], ['stats'], ['activity']])
        queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** Moves a deal to another stage and offers to undo it. */
export function useMoveDeal(moved: (deal: Deal) => void): (deal: Deal, stage: string) => void {
  const { mutate, mutateAsync } = useUpdateDeal()
  return useCallback(
    async (deal, stage) => {
      if (deal.stage === stage) return
      const changed = await mutateAsync({ deal, changes: { stage } }).catch(() => null)
      if (!changed) return
      notifyMoved(changed, () =>
        mutate({ deal: changed, changes: { stage: deal.stage, status: deal.status } }),
      )
      moved(changed)
    },
    [mutate, mutateAsync, moved],
  )
}

function notifyMoved(deal: Deal, undo: () => void): void {
  const id = `moved-${deal.id}`
  const undoAndHide = () => {
    undo()
    notifications.hide(id)
  }
  notifications.hide(id)
  notifications.show({
    id,
    autoClose: 8000,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={3} className="break-anywhere" dir="auto">
          {strings.moved(companyNameOf(deal), formatWord(deal.stage))}
        </Text>
        <Button size="compact-sm" variant="default" onClick={undoAndHide} style={{ flexShrink: 0 }}>
          {strings.undo}
        </Button>
      </Group>
    ),
  })
}
