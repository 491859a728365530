export const THESIS_TABS = ['report', 'matches'] as const
export type ThesisTab = (typeof THESIS_TABS)[number]

export interface ThesisSearch {
  /** Missing: the report. */
  tab?: 'matches'
}

/** @param search the query of `/theses/ID` */
export const thesisSearch = (search: Record<string, unknown>): ThesisSearch =>
  search.tab === 'matches' ? { tab: 'matches' } : {}
