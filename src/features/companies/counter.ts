import type { Counter } from '#src/platform/database/counters.ts'

/** Counts the companies for each combination of these columns. */
export const companyCounter: Counter = {
  name: 'company',
  columns: ['status', 'country_code', 'industry_category', 'thesis_id'],
  foldedTable: 'company_changes',
}

/** Counts the companies with each tag; null: those without tags. */
export const tagCounter: Counter = { name: 'company_tag', columns: ['tag'] }
