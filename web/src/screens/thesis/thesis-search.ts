export const THESIS_TABS = ['report', 'matches'] as const
export type ThesisTab = (typeof THESIS_TABS)[number]

/** Which matches are shown. */
export interface MatchesSearch {
  /** Missing: matches without a verdict. */
  verdict?: 'up' | 'down'
  /** Missing: among those without a verdict, only companies without active deals. */
  deals?: 'any'
  /** Missing: by match. */
  sort?: 'score'
  /** Starts at 1. */
  page?: number
}

export interface ThesisSearch extends MatchesSearch {
  /** Missing: the report. */
  tab?: 'matches'
}

/** @param search the query of `/theses/ID` */
export function thesisSearch(search: Record<string, unknown>): ThesisSearch {
  if (search.tab !== 'matches') return {}
  const { verdict, deals, sort } = search
  const page = Number(search.page)
  return {
    tab: 'matches',
    ...((verdict === 'up' || verdict === 'down') && { verdict }),
    ...(deals === 'any' && { deals: 'any' as const }),
    ...(sort === 'score' && { sort: 'score' as const }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}
