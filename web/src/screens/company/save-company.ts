import { useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import { type CompanyPatch, service } from '#web/api/service.ts'
import { ifMatch } from '#web/editing/if-match.ts'
import { type RecordChange, useSaveRecord } from '#web/editing/use-save-record.ts'
import { putCompanyValues } from '#web/fields/company-cache.ts'
import type { CompanyRecord } from './company-fields.ts'

/**
 * Saves changes of one company. See `useSaveRecord`.
 * @throws EditConflict when someone else changed the same field
 */
export function useSaveCompany(
  id: string,
): (change: RecordChange<CompanyRecord, CompanyPatch>) => Promise<unknown> {
  const queryClient = useQueryClient()
  const { queryKey } = queries.company(id)
  return useSaveRecord<CompanyRecord, CompanyPatch>({
    kind: 'company',
    id,
    queryKey,
    read: () => {
      const detail = queryClient.getQueryData(queryKey)
      if (!detail) throw new Error(`The company ${id} is not loaded.`)
      return detail.company
    },
    put: (changes) => {
      queryClient.setQueryData(
        queryKey,
        (detail) => detail && { ...detail, company: { ...detail.company, ...changes } },
      )
    },
    send: async (changes, updatedAt) =>
      (await service.updateCompany({ params: { id }, body: changes, ...ifMatch(updatedAt) })).data,
    reload: async () => {
      const { data } = await service.getCompany({ params: { id } })
      queryClient.setQueryData(queryKey, data)
      return data.company
    },
    putSaved: (company) => {
      putCompanyValues(queryClient, [id], () => company)
    },
  })
}
