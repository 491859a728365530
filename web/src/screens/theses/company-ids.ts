import { service } from '#web/service/service.ts'

/** As many as one bulk action takes. */
export const MOST_SCORED = 10_000
const PAGE = 1000

/** The ids of the companies linked to a thesis, the best scored first. */
export async function companyIdsOf(thesis: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; offset < MOST_SCORED; offset += PAGE) {
    const { data, pagination } = await service.listCompanies({
      querystring: { thesis_id: thesis, sort: '-llm_score_overall', limit: PAGE, offset },
    })
    ids.push(...data.map(({ id }) => id))
    if (!pagination.hasMore) break
  }
  return [...new Set(ids)]
}
