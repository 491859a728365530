import { MAX_BULK_ACTION_COMPANIES } from '#src/client/limits.ts'
import { MAX_PAGE_SIZE } from '#web/api/paging.ts'
import { service } from '#web/api/service.ts'

/** The limit of one bulk action. */
export const MAX_COMPANIES = MAX_BULK_ACTION_COMPANIES

/** The ids of the companies linked to a thesis, highest score first. */
export async function fetchLinkedCompanyIds(thesis: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; offset < MAX_COMPANIES; offset += MAX_PAGE_SIZE) {
    const { data, pagination } = await service.listCompanies({
      querystring: { thesis_id: thesis, sort: '-llm_score_overall', limit: MAX_PAGE_SIZE, offset },
    })
    ids.push(...data.map(({ id }) => id))
    if (!pagination.hasMore) break
  }
  return [...new Set(ids)]
}
