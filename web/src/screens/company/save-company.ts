import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Conflict } from '#src/client/errors.ts'
import { ChangedMeanwhile } from '#web/parts/changed-meanwhile.ts'
import { queries } from '#web/service/queries.ts'
import type { CompanyDetail, CompanyPatch } from '#web/service/service.ts'
import { service } from '#web/service/service.ts'

export type CompanyRecord = CompanyDetail['company']

export interface CompanyChange {
  changes: CompanyPatch
  /** What is being changed, as text that can be compared. */
  read: (company: CompanyRecord) => string
  /** That text as the reader saw it when the change began. */
  seen: string
}

const MOST_TRIES = 4

/**
 * Saves changes of one company, one after another, and shows them at once; what cannot be saved is taken back.
 * @throws ChangedMeanwhile when somebody else has changed the same; changes of other fields are not in the way
 */
export function useSaveCompany(id: string): (change: CompanyChange) => Promise<unknown> {
  const queryClient = useQueryClient()
  const cache = companyInCache(queryClient, id)
  const mutationKey = ['save-company', id]
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    meta: { tellsOfErrors: true },
    onMutate: async (change: CompanyChange) => {
      await queryClient.cancelQueries({ queryKey: cache.queryKey, exact: true })
      const before = cache.read()
      const now = change.read(before)
      if (now !== change.seen) throw new ChangedMeanwhile(now)
      cache.put(change.changes)
      return Object.fromEntries(Object.keys(change.changes).map((key) => [key, before[key as never]]))
    },
    mutationFn: (change: CompanyChange) => send(id, cache, change),
    onSuccess: async (company) => {
      cache.put(company)
      queryClient.invalidateQueries({ queryKey: ['companies', 'list'] })
      queryClient.invalidateQueries({ queryKey: ['companies', 'facets'] })
      queryClient.invalidateQueries({ queryKey: ['companies', 'search'] })
      queryClient.invalidateQueries({ queryKey: ['activity'] })
      // Its activity is new too; what is still to be saved must not flicker in between.
      if (queryClient.isMutating({ mutationKey }) <= 1)
        queryClient.invalidateQueries({ queryKey: cache.queryKey, exact: true })
    },
    onError: (error, _change, before) => {
      if (before && !(error instanceof ChangedMeanwhile)) cache.put(before)
    },
  })
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

/** Sends the changes on the condition that nobody has changed the company since it was read. */
async function send(id: string, cache: CompanyInCache, { changes, read, seen }: CompanyChange) {
  const mine = read({ ...cache.read(), ...changes })
  for (let tries = 1; ; tries++) {
    const request = {
      params: { id },
      headers: { 'if-match': `"${cache.read().updated_at}"` },
      body: changes,
    }
    try {
      return (await service.updateCompany(request)).data
    } catch (error) {
      if (!(error instanceof Conflict) || tries === MOST_TRIES) throw error
    }
    const { data: fresh } = await service.getCompany({ params: { id } })
    cache.replace(fresh)
    const theirs = read(fresh.company)
    if (theirs !== seen && theirs !== mine) throw new ChangedMeanwhile(theirs)
    cache.put(changes)
  }
}
