import type { StoredCompany } from '#src/features/companies/store.ts'
import type { CompanyRecord } from './work-schema.ts'

/** What a language model is told of a company: what people know of it, not what models have made of that. */
export const recordOf = ({
  name,
  country,
  country_code,
  hq_city,
  industry_category,
  activity_description,
  status,
  website,
  founded_year,
  employee_count,
  revenue_eur,
  executives,
  financials,
}: StoredCompany): CompanyRecord => ({
  name,
  country,
  country_code,
  hq_city,
  industry_category,
  activity_description,
  status,
  website,
  founded_year,
  employee_count,
  revenue_eur,
  executives,
  financials,
})
