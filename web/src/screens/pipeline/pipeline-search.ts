import type { Filter } from '#src/client/limits.ts'
import { columnsInAddress } from '#web/views/address-columns.ts'
import type { ShownColumn } from '#web/views/column-state.ts'

export interface PipelineSearch {
  /** The id of a saved view. */
  view?: string
  /** Missing: a board. */
  layout?: 'board' | 'list'
  /** The deal whose panel is open. */
  deal?: string
  /** `all` or missing: any status. */
  status?: string
  /** Shows only this stage. */
  stage?: string
  /** Shows only the deals of the user. */
  owner?: 'me'
  /** Shows only stuck deals. */
  stuck?: true
  filter?: Filter
  /** The sort of the list, as the service takes it. */
  sort?: string
  /** The columns of the list, instead of those of the view. */
  columns?: ShownColumn[]
  /** The page of the list. Starts at 1. */
  page?: number
}

/** @param search the query of `/pipeline`. The service says what is wrong with an invalid filter. */
export function pipelineSearch(search: Record<string, unknown>): PipelineSearch {
  const columns = columnsInAddress(search.columns)
  return {
    ...viewAndLayout(search),
    ...(search.deal ? { deal: String(search.deal) } : {}),
    ...(search.status ? { status: String(search.status) } : {}),
    ...(search.stage ? { stage: String(search.stage) } : {}),
    ...(search.owner === 'me' && { owner: 'me' as const }),
    ...((search.stuck === true || search.stuck === 'true') && { stuck: true as const }),
    ...(search.filter ? { filter: search.filter as Filter } : {}),
    ...(search.sort ? { sort: String(search.sort) } : {}),
    ...(columns.length > 0 && { columns }),
    ...(Number(search.page) > 1 && { page: Math.floor(Number(search.page)) }),
  }
}

/** `view=list` is the layout in addresses from before there were views of deals. */
function viewAndLayout({ view, layout }: Record<string, unknown>): Pick<PipelineSearch, 'view' | 'layout'> {
  if (view === 'list' || view === 'board') return { layout: view }
  return {
    ...(/^\w{1,100}$/.test(String(view ?? '')) && { view: String(view) }),
    ...((layout === 'board' || layout === 'list') && { layout }),
  }
}
