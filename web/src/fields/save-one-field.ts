import { useMutation, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/fields.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { type Company, type CompanyPatch, service } from '#web/api/service.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { putSavedCompany } from './company-cache.ts'

/** The parts of a company that the cells of a list need. */
export type CompanyInList = Pick<Company, 'id' | 'name' | 'tags' | 'owner_email' | 'updated_at'>

interface OneFieldChange<T> {
  value: T
  changes: CompanyPatch
}

/**
 * Saves one field of a company in a list. A change that someone else made to other fields is kept; one to this field is
 * not overwritten. The notice with Undo appears as for every change.
 * @param read the field
 * @returns what to show, and a function that saves
 */
export function useSaveOneField<T>(
  company: CompanyInList,
  read: (company: CompanyInList) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): { value: T; isSaving: boolean; save: (change: OneFieldChange<T>) => void } {
  const queryClient = useQueryClient()
  const { id, name } = company
  const seen = read(company)
  const mutation = useMutation({
    scope: { id: `save-company ${id}` },
    mutationFn: async ({ changes, value }: OneFieldChange<T>) => {
      try {
        return await saveIfUnchanged<Company>({
          record: company,
          send: async (updatedAt) =>
            (await service.updateCompany({ params: { id }, body: changes, ...ifMatch(updatedAt) })).data,
          reload: async () => (await service.getCompany({ params: { id } })).data.company,
          isUnchanged: (newest) => isSame(read(newest), seen) || isSame(read(newest), value),
        })
      } catch (error) {
        throw isConflict(error) ? new UserFacingError(strings.conflict(name)) : error
      }
    },
    // The new value stays on screen until the list has it.
    onSuccess: (saved) => putSavedCompany(queryClient, saved),
    onError: () => queryClient.invalidateQueries({ queryKey: ['companies'] }),
    onSettled: () => refreshAfterOwnChange({ kind: 'company', id }),
  })
  const { isPending, variables, mutate } = mutation
  return {
    value: isPending && variables ? variables.value : seen,
    isSaving: isPending,
    save: (change) => {
      if (!isSame(change.value, seen)) mutate(change)
    },
  }
}
