import { joinSort } from '#src/client/limits.ts'
import { STUCK_FILTER } from '#web/deals/stuck.ts'
import type { Columns } from '#web/views/column-state.ts'
import { type FilterControls, readControls, withControls, wordControl } from '#web/views/filter-controls.ts'
import { ALL, isInView } from '#web/views/view-screens.ts'
import { isSameFilter, parseSort, type ViewState } from '#web/views/view-state.ts'
import type { PipelineSearch } from './pipeline-search.ts'

type Controlled = Pick<PipelineSearch, 'status' | 'owner' | 'stage' | 'stuck'>

/** The controls above the deals, as parts of the filter of a view. */
const CONTROLS: FilterControls<Controlled> = {
  status: wordControl('status'),
  owner: {
    read: (part) => (wordControl('owner_email').read(part) === 'me' ? 'me' : undefined),
    write: wordControl('owner_email').write,
  },
  stage: wordControl('stage'),
  stuck: {
    read: (part) => (isSameFilter(part, STUCK_FILTER) ? true : undefined),
    write: () => STUCK_FILTER,
  },
}

/**
 * What the pipeline shows, in the form of views.
 * @param own the user's columns outside of views
 */
export function stateOf(search: PipelineSearch, own: Columns): ViewState {
  const { status, owner, stage, stuck, filter, sort, layout } = search
  const shown = {
    ...(status && status !== 'all' && { status }),
    ...(owner && { owner }),
    ...(stage && { stage }),
    ...(stuck && { stuck }),
    ...(filter !== undefined && { filter }),
  }
  return {
    filter: withControls(shown, CONTROLS),
    search: null,
    sort: parseSort(sort),
    columns: [...(search.columns ?? (layout !== 'list' || isInView(search) ? [] : own))],
    layout: layout === 'list' ? 'table' : 'board',
  }
}

/**
 * The address of a view's state. It always contains the layout, which tells it apart from an address that only opens
 * the view.
 */
export const searchOf = (id: string, { filter, sort, columns, layout }: ViewState): PipelineSearch => ({
  view: id,
  layout: layout === 'table' ? 'list' : 'board',
  ...readControls(filter, CONTROLS),
  ...(sort.length > 0 && { sort: joinSort(sort) }),
  ...(columns.length > 0 && { columns }),
})

/** The address that lists one stage of the deals in an address. */
export const listOfStage = ({ page: _page, ...search }: PipelineSearch, stage: string): PipelineSearch => ({
  ...search,
  layout: 'list',
  stage,
})

/** Whether an address selects deals only by a view, or not at all. */
export const isBare = (search: PipelineSearch): boolean =>
  Object.entries(search).every(
    ([key, value]) => value === undefined || key === 'view' || key === 'page' || key === 'deal',
  )

/** Removing a filter must not leave an address that opens the default view. */
export const withExplicitView = (search: PipelineSearch): PipelineSearch =>
  isBare(search) && !search.view ? { ...search, view: ALL } : search
