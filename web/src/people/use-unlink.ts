import { useMutation, useQueryClient } from '@tanstack/react-query'
import { service } from '#web/api/service.ts'

/** Removes the link of a person to a company. The notice with Undo appears as for every change. */
export function useUnlink(): (ends: { company_id: string; person_id: string }) => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ company_id: id, person_id }: { company_id: string; person_id: string }) =>
      service.unlinkPerson({ params: { id, person_id } }),
    onSettled: () => {
      for (const resource of ['people', 'activity', 'history'])
        queryClient.invalidateQueries({ queryKey: [resource] })
    },
  })
  return mutate
}
