import type { Counter } from '#src/platform/database/counters.ts'

/** How many companies have each combination of these values. */
export const companyCounter: Counter = {
  name: 'company',
  columns: ['status', 'country_code', 'industry_category', 'thesis_id'],
  foldedTable: 'company_changes',
}
