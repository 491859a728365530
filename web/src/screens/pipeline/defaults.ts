import type { Columns } from '#web/views/column-state.ts'

/** What the list is sorted by unless the address says otherwise. */
export const DEFAULT_SORT = 'stage'

/** What fits a laptop without scrolling sideways. */
export const DEFAULT_COLUMNS: Columns = [
  'stage',
  'owner_email',
  'amount_eur',
  'probability',
  'company_llm_score_overall',
  'stage_entered_at',
  'expected_close_on',
  'status',
].map((field) => ({ field }))
