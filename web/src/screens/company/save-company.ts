import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { queries } from '#web/api/queries.ts'
import type { Company, CompanyDetail, CompanyPatch } from '#web/api/service.ts'
import { service } from '#web/api/service.ts'
import { EditConflict } from '#web/editing/edit-conflict.ts'
import { ifMatch } from '#web/editing/if-match.ts'
import { previousValues, withChanges } from '#web/editing/record-changes.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { putCompanyValues } from '#web/fields/company-cache.ts'
import type { CompanyRecord } from './company-fields.ts'

interface CompanyChange {
  changes: CompanyPatch
  /** Reads what is being changed, as comparable text. */
  read: (company: CompanyRecord) => string
  /** The text when editing began. */
  seen: string
}

/**
 * Saves changes of one company in order, shows them at once, and rolls back what cannot be saved.
 * @throws EditConflict when someone else changed the same field; changes to other fields do not conflict
 */
export function useSaveCompany(id: string): (change: CompanyChange) => Promise<unknown> {
  const queryClient = useQueryClient()
  const cache = companyInCache(queryClient, id)
  const mutationKey = ['save-company', id]
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    meta: { handlesErrors: true },
    onMutate: async (change: CompanyChange) => {
      await queryClient.cancelQueries({ queryKey: cache.queryKey, exact: true })
      const before = cache.read()
      const now = change.read(before)
      if (now !== change.seen) throw new EditConflict(now)
      cache.put(withChanges(before, change.changes))
      return previousValues(before, change.changes)
    },
    mutationFn: (change: CompanyChange) => send(id, cache, change),
    onSuccess: (company) => {
      if (isLast()) putCompanyValues(queryClient, [id], () => company)
      else cache.put({ updated_at: company.updated_at })
      refreshAfterOwnChange({ kind: 'company', id })
    },
    onError: (error, _change, before) => {
      if (before && !(error instanceof EditConflict)) cache.put(withChanges(cache.read(), before))
      refetch()
    },
  })
  const isLast = () => queryClient.isMutating({ mutationKey }) <= 1
  /** Refetches the company, unless more changes are waiting to be saved. */
  const refetch = () => {
    if (isLast()) queryClient.invalidateQueries({ queryKey: cache.queryKey, exact: true })
  }
  return mutateAsync
}

interface CompanyInCache {
  queryKey: ReturnType<typeof queries.company>['queryKey']
  read: () => CompanyRecord
  put: (changes: Partial<CompanyRecord>) => void
  replace: (detail: CompanyDetail) => void
}

function companyInCache(queryClient: QueryClient, id: string): CompanyInCache {
  const { queryKey } = queries.company(id)
  return {
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
    replace: (detail) => {
      queryClient.setQueryData(queryKey, detail)
    },
  }
}

/** Sends the changes on the condition that the company has not changed since it was read. */
async function send(id: string, cache: CompanyInCache, { changes, read, seen }: CompanyChange) {
  const mine = read(withChanges(cache.read(), changes))
  const show = () => {
    const now = read(cache.read())
    if (now !== seen && now !== mine) throw new EditConflict(now)
    cache.put(withChanges(cache.read(), changes))
  }
  // The previous save may have reloaded the company.
  show()
  return saveIfUnchanged<Company>({
    record: cache.read(),
    send: async (updatedAt) =>
      (await service.updateCompany({ params: { id }, body: changes, ...ifMatch(updatedAt) })).data,
    reload: async () => {
      const { data } = await service.getCompany({ params: { id } })
      cache.replace(data)
      return data.company
    },
    isUnchanged: () => {
      show()
      return true
    },
  })
}
