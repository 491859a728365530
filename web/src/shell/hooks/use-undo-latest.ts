import { notifications } from '@mantine/notifications'
import { type Mutation, useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { InvalidRequest, NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/keyboard.ts'
import { changeQueue, unsavedChanges } from '#web/api/live/change-queue.ts'
import { type Change, latestChanges } from '#web/api/live/latest-changes.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { service } from '#web/api/service.ts'

/** More than a user undoes in a row. */
const LOOK_BACK = 100

/** Whether another attempt to undo would fail as well. */
const isFinal = (error: unknown): boolean => error instanceof InvalidRequest || error instanceof NotFound

/** Undoes the latest change once it is saved, because it may still be queued. */
export function useUndoLatest(): () => void {
  const navigate = useNavigate()
  const { mutate } = useMutation({
    ...changeQueue,
    mutationFn: async (awaited: Mutation | undefined) => {
      // A rejected change is already reverted, and the user does not mean the one before it.
      if (awaited?.state.status === 'error') return
      const change = latestChanges.last() ?? (await findEarlier())
      if (!change) notifications.show({ message: strings.nothingToUndo })
      // The page of the action shows what undoing it would change.
      else if (change.isLarge) navigate({ to: '/activity/actions/$id', params: { id: change.id } })
      else await undo(change)
    },
    onSettled: () => {
      // A refetch would replace pending changes on screen with stored data. The last of them refetches.
      const isLast = queryClient.isMutating(unsavedChanges) <= 1
      queryClient.invalidateQueries({ refetchType: isLast ? 'active' : 'none' })
    },
  })
  return () => mutate(queryClient.getMutationCache().findAll(unsavedChanges).at(-1))
}

async function findEarlier(): Promise<Change | undefined> {
  const { email } = await queryClient.ensureQueryData(queries.me())
  const { data } = await service.listActions({ querystring: { user_email: email, limit: LOOK_BACK } })
  return latestChanges.lastOf(data)
}

async function undo({ id, undo: undoThis }: Change): Promise<void> {
  try {
    if (undoThis) await undoThis()
    else await service.undoAction({ params: { id }, body: {} })
  } catch (error) {
    if (isFinal(error)) latestChanges.remove(id)
    throw error
  }
}
