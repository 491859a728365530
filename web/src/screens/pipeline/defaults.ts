import type { Columns } from '#web/views/column-state.ts'

/** The sort of the list unless the address contains another. */
export const DEFAULT_SORT = 'stage'

/** The columns that fit a laptop without scrolling sideways. */
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
