import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '#src/client/client.ts'
import { queries } from '#web/api/queries.ts'
import { type Deal, type Page, service } from '#web/api/service.ts'

/** A column of the board: the totals of a stage, and its first deals. */
export type BoardStage = Awaited<ReturnType<Client['getDealStages']>>['data'][number]

/** Fields to change, as the service takes them. `custom` has only the values that change. */
export type DealChanges = Parameters<Client['updateDeal']>[0]['body']

const LIST_QUERIES = { queryKey: ['deals', 'list'] }
const BOARD_QUERIES = { queryKey: ['deals', 'stages'] }

/** Fetches the current state of a deal. */
export const reloadDeal = async ({ id }: Deal): Promise<Deal> =>
  (await service.getDeal({ params: { id } })).data

/** The deal as it is currently shown. */
export function readDeal(queryClient: QueryClient, id: string): Deal | undefined {
  const boards = queryClient.getQueriesData<BoardStage[]>(BOARD_QUERIES)
  const pages = queryClient.getQueriesData<Page<Deal>>(LIST_QUERIES)
  const shown = [
    ...boards.flatMap(([, stages]) => stages?.flatMap(({ records }) => records) ?? []),
    ...pages.flatMap(([, page]) => page?.data ?? []),
  ].filter((deal) => deal.id === id)
  const [newest] = shown.sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1))
  return newest ?? queryClient.getQueryData(queries.deal(id).queryKey)
}

/** Updates a deal wherever it is shown. */
export function putDeal(queryClient: QueryClient, deal: Deal): void {
  queryClient.setQueriesData<Page<Deal>>(
    LIST_QUERIES,
    (page) => page && { ...page, data: page.data.map((one) => (one.id === deal.id ? deal : one)) },
  )
  queryClient.setQueriesData<BoardStage[]>(BOARD_QUERIES, (stages) => stages && withDeal(stages, deal))
  queryClient.setQueryData(queries.deal(deal.id).queryKey, deal)
}

/** The board with a deal in its stage, counted there. The other totals follow with the next response. */
function withDeal(stages: BoardStage[], deal: Deal): BoardStage[] {
  const before = stages.flatMap(({ records }) => records).find(({ id }) => id === deal.id)
  if (!before) return stages
  return stages.map((column) => {
    const isHere = column.stage === deal.stage
    const wasHere = column.stage === before.stage
    if (!isHere && !wasHere) return column
    const others = column.records.filter(({ id }) => id !== deal.id)
    return {
      ...column,
      deals: column.deals + Number(isHere) - Number(wasHere),
      amount_eur:
        column.amount_eur + (isHere ? (deal.amount_eur ?? 0) : 0) - (wasHere ? (before.amount_eur ?? 0) : 0),
      records: isHere ? [...others, deal] : others,
    }
  })
}
