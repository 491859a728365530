import { useQuery } from '@tanstack/react-query'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import { STUCK_FILTER } from '#web/deals/stuck.ts'
import { allOf, filterText } from '#web/filters/tree.ts'
import { COLUMN_PAGE_SIZE } from './deals.ts'
import type { PipelineSearch } from './pipeline-search.ts'

/** The criteria that select the deals on screen, as both the list and the totals by stage take them. */
export interface DealSelection {
  status?: string
  owner_email?: string
  filter?: string
}

/** The deals that the address selects. */
function parseSelection({ status = 'all', owner, stuck, filter }: PipelineSearch): DealSelection {
  const tree = allOf([...(filter ? [filter] : []), ...(stuck ? [STUCK_FILTER] : [])])
  return {
    ...(status !== 'all' && { status }),
    ...(owner && { owner_email: owner }),
    ...(tree && { filter: filterText(tree) }),
  }
}

/** The stages that are configured. */
export const useConfiguredStages = () =>
  useQuery({
    ...fieldQueries.stageConfig(),
    select: ({ stages }) => stages.map(({ key, label, outcome }) => ({ stage: key, label, outcome })),
  })

/** The totals of each stage, with its first deals if they are shown as a board. */
export function stageTotals(search: PipelineSearch) {
  const selection = parseSelection(search)
  const isBoard = search.layout !== 'list'
  return {
    selection,
    query: queries.dealStages({ ...selection, ...(isBoard && { limit: COLUMN_PAGE_SIZE }) }),
  }
}
