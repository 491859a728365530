import { useMutation, useQueryClient } from '@tanstack/react-query'
import { service } from '#web/api/service.ts'

/**
 * Undoes an action, and refetches what is on screen: an action may have changed any record.
 * @param handlesErrors the caller shows the errors itself
 */
export function useUndo(handlesErrors = false) {
  const queryClient = useQueryClient()
  return useMutation({
    meta: { handlesErrors },
    mutationFn: async (id: string) => (await service.undoAction({ params: { id }, body: {} })).data,
    onSettled: () => {
      queryClient.invalidateQueries()
    },
  })
}
