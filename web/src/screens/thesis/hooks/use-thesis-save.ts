import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import { service, type Thesis } from '#web/api/service.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { changedFields, pick } from '#web/editing/record-changes.ts'
import { requestBody } from '../thesis-draft.ts'
import type { ThesisDraft } from './use-thesis-draft.ts'

/** Someone else saved the thesis first. */
class ThesisConflict extends Error {
  readonly remote: Thesis

  constructor(remote: Thesis) {
    super('Someone else saved the thesis first.')
    this.name = 'ThesisConflict'
    this.remote = remote
  }
}

/**
 * Saves the changed fields of a thesis.
 * @param onSaved called with the saved thesis, even if the editor is closed by then
 * @returns the mutation, and the version that someone else saved, if that is why it failed
 */
export function useThesisSave(id: string, onSaved: (thesis: Thesis, sent: ThesisDraft) => void) {
  const queryClient = useQueryClient()
  const save = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async ({ text, from, updated_at }: ThesisDraft) => {
      const changes = pick(requestBody(text), changedFields(text, from))
      const request = { params: { id }, body: changes, ...ifMatch(updated_at) }
      try {
        return (await service.updateThesis(request)).data
      } catch (error) {
        if (!isConflict(error)) throw error
        const newest = await queryClient.fetchQuery({ ...queries.thesis(id), staleTime: 0 }).catch(() => null)
        throw newest ? new ThesisConflict(newest) : error
      }
    },
    onSuccess: (thesis, sent) => {
      queryClient.setQueryData(queries.thesis(id).queryKey, thesis)
      for (const queryKey of [['theses', 'list'], ['companies', 'facets'], ['stats'], ['activity']])
        queryClient.invalidateQueries({ queryKey })
      onSaved(thesis, sent)
    },
  })
  return { save, remote: save.error instanceof ThesisConflict ? save.error.remote : null }
}
