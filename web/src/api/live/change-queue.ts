import type { QueryClient } from '@tanstack/react-query'

/**
 * Changes of companies, verdicts, and their undos in this tab: sent one at a time, so that the later of two changes of
 * a field wins. Until the last one is saved, the screen is ahead of the stored data.
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
