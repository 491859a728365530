import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Deal, type Page, service } from '#web/service/service.ts'
import { MAX_DEALS } from './deals.ts'

const LIST_QUERIES = { queryKey: ['deals', 'list'] }
const keyOf = (id: string) => ['deals', 'one', id]

/** One deal, found by paging through all deals. null: it does not exist. */
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

/** Fetches the current state of a deal. */
export async function reloadDeal({ id, company_id }: Deal): Promise<Deal> {
  const { data } = await service.listDeals({ querystring: { company_id, limit: MAX_DEALS } })
  const deal = data.find((one) => one.id === id)
  if (!deal) throw new Error(`There is no deal ${id} any more.`)
  return deal
}

/** The deal as it is currently shown. */
export function readDeal(queryClient: QueryClient, id: string): Deal | undefined {
  for (const [, page] of queryClient.getQueriesData<Page<Deal>>(LIST_QUERIES)) {
    const deal = page?.data.find((one) => one.id === id)
    if (deal) return deal
  }
  return queryClient.getQueryData<Deal | null>(keyOf(id)) ?? undefined
}

/** Updates a deal wherever it is shown. */
export function putDeal(queryClient: QueryClient, deal: Deal): void {
  queryClient.setQueriesData<Page<Deal>>(
    LIST_QUERIES,
    (page) => page && { ...page, data: page.data.map((one) => (one.id === deal.id ? deal : one)) },
  )
  queryClient.setQueryData<Deal | null>(keyOf(deal.id), deal)
}
