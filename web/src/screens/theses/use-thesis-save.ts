import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict, unchangedSince } from '#web/parts/unchanged-since.ts'
import { queries } from '#web/service/queries.ts'
import { service, type Thesis } from '#web/service/service.ts'
import { bodyOf, changedFields } from './thesis-draft.ts'
import type { ThesisDraft } from './use-thesis-draft.ts'

/**
 * Saves the changed fields of a thesis.
 * @returns the mutation, and what somebody else has saved meanwhile, if that is why it was refused
 */
export function useThesisSave(id: string) {
  const queryClient = useQueryClient()
  const [theirs, setTheirs] = useState<Thesis | null>(null)
  const save = useMutation({
    meta: { tellsOfErrors: true },
    mutationFn: async ({ text, from, updated_at }: ThesisDraft) => {
      const body = bodyOf(text)
      const changes = Object.fromEntries(changedFields(text, from).map((field) => [field, body[field]]))
      return (await service.updateThesis({ params: { id }, body: changes, ...unchangedSince(updated_at) }))
        .data
    },
    onSuccess: (thesis) => {
      queryClient.setQueryData(queries.thesis(id).queryKey, thesis)
      for (const queryKey of [['theses', 'list'], ['companies', 'facets'], ['stats'], ['activity']])
        queryClient.invalidateQueries({ queryKey })
    },
    onError: async (error) => {
      if (!isConflict(error)) return
      const newest = await queryClient.fetchQuery({ ...queries.thesis(id), staleTime: 0 }).catch(() => null)
      setTheirs(newest)
    },
  })
  return { save, theirs, dismiss: () => setTheirs(null) }
}
