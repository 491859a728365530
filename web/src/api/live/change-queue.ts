import type { QueryClient } from '@tanstack/react-query'

/**
 * The changes of companies and the verdicts in this tab, and undoing them: sent one at a time, so that of two changes of a
 * field the later one wins. Until the last one is saved, the screen is ahead of what is stored.
 */
export const changeQueue = { mutationKey: ['change-companies'], scope: { id: 'change-companies' } }

/** Finds the changes that wait or are being saved. */
export const unsavedChanges = { mutationKey: changeQueue.mutationKey, status: 'pending' } as const

/** Waits until no change waits or is being saved. */
export const changesSaved = (queryClient: QueryClient): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (queryClient.isMutating(unsavedChanges) > 0) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = queryClient.getMutationCache().subscribe(look)
    look()
  })
