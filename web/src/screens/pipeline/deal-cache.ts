import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Deal, type Page, service } from '#web/service/service.ts'
import { MAX_DEALS } from './deals.ts'

const LIST_QUERIES = { queryKey: ['deals', 'list'] }
const keyOf = (id: string) => ['deals', 'one', id]

/** One deal, which the API has in its lists only; null: there is none. */
export const dealQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal }): Promise<Deal | null> => {
      for (let offset = 0; ; offset += MAX_DEALS) {
        const page = await service.listDeals({ querystring: { limit: MAX_DEALS, offset } }, { signal })
        const deal = page.data.find((one) => one.id === id)
        if (deal || !page.pagination.hasMore) return deal ?? null
      }
    },
  })

/** A deal as it is now. */
export async function reloadDeal({ id, company_id }: Deal): Promise<Deal> {
  const { data } = await service.listDeals({ querystring: { company_id, limit: MAX_DEALS } })
  const deal = data.find((one) => one.id === id)
  if (!deal) throw new Error(`There is no deal ${id} any more.`)
  return deal
}

/** A deal as it is shown now. */
export function readDeal(queryClient: QueryClient, id: string): Deal | undefined {
  for (const [, page] of queryClient.getQueriesData<Page<Deal>>(LIST_QUERIES)) {
    const deal = page?.data.find((one) => one.id === id)
    if (deal) return deal
  }
  return queryClient.getQueryData<Deal | null>(keyOf(id)) ?? undefined
}

/** Shows a deal so wherever it is shown. */
export function putDeal(queryClient: QueryClient, deal: Deal): void {
  queryClient.setQueriesData<Page<Deal>>(
    LIST_QUERIES,
    (page) => page && { ...page, data: page.data.map((one) => (one.id === deal.id ? deal : one)) },
  )
  queryClient.setQueryData<Deal | null>(keyOf(deal.id), deal)
}
