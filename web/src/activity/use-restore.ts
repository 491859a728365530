import { useMutation, useQueryClient } from '@tanstack/react-query'
import { service } from '#web/api/service.ts'

/** Restores a record from the trash, and refetches what is on screen. */
export function useRestore() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => service.restoreRecord({ params: { id } }),
    onSettled: () => {
      queryClient.invalidateQueries()
    },
  })
}
