import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isConflict, unchangedSince } from '#web/editing/unchanged-since.ts'
import { queries } from '#web/service/queries.ts'
import { service, type Thesis } from '#web/service/service.ts'
import { bodyOf, changedFields } from './thesis-draft.ts'
import type { ThesisDraft } from './use-thesis-draft.ts'

/** Refused because somebody else has saved the thesis meanwhile. */
class SavedByAnother extends Error {
  readonly theirs: Thesis

  constructor(theirs: Thesis) {
    super('Saved by somebody else meanwhile.')
    this.name = 'SavedByAnother'
    this.theirs = theirs
  }
}

/**
 * Saves the changed fields of a thesis.
 * @param onSaved told of what was saved, also when the editor is gone by then
 * @returns the mutation, and what somebody else has saved meanwhile, if that is why it was refused
 */
export function useThesisSave(id: string, onSaved: (thesis: Thesis, sent: ThesisDraft) => void) {
  const queryClient = useQueryClient()
  const save = useMutation({
    meta: { tellsOfErrors: true },
    mutationFn: async ({ text, from, updated_at }: ThesisDraft) => {
      const body = bodyOf(text)
      const changes = Object.fromEntries(changedFields(text, from).map((field) => [field, body[field]]))
      const request = { params: { id }, body: changes, ...unchangedSince(updated_at) }
      try {
        return (await service.updateThesis(request)).data
      } catch (error) {
        if (!isConflict(error)) throw error
        const newest = await queryClient.fetchQuery({ ...queries.thesis(id), staleTime: 0 }).catch(() => null)
        throw newest ? new SavedByAnother(newest) : error
      }
    },
    onSuccess: (thesis, sent) => {
      queryClient.setQueryData(queries.thesis(id).queryKey, thesis)
      for (const queryKey of [['theses', 'list'], ['companies', 'facets'], ['stats'], ['activity']])
        queryClient.invalidateQueries({ queryKey })
      onSaved(thesis, sent)
    },
  })
  return { save, theirs: save.error instanceof SavedByAnother ? save.error.theirs : null }
}
