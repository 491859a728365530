import { NewCompany } from '#src/features/companies/index.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import type { CellField } from './built-in-readers.ts'

/** The first problem of the fields of a company, which the API would not accept; undefined if it would. */
export const limitError = lazyValidator(NewCompany)

/** The problem of one field. */
export const fieldError = (field: string, value: unknown): string | undefined =>
  limitError({ name: 'x', [field]: value })

/** What each field allows, for values beyond its limits. */
export const LIMITS: Readonly<Record<CellField, string>> = {
  name: 'name must be text of 1 to 500 characters.',
  website: 'website must be a web address of up to 2000 characters, such as https://www.example.com.',
  country: 'country must be text of up to 200 characters.',
  country_code: 'country_code must be a country code or name, such as DE or Germany.',
  hq_city: 'hq_city must be text of up to 200 characters.',
  industry_category: 'industry_category must be text of up to 200 characters.',
  activity_description: 'activity_description must be text of up to 20,000 characters.',
  status: 'status must be a word of up to 64 characters, such as active.',
  thesis_code: 'thesis_code must be the code of a thesis.',
  employee_count: 'employee_count must be a whole number from 0 to 10,000,000, such as 120 or 11-50.',
  founded_year: 'founded_year must be a year from 1000 to 2100, such as 2019.',
  revenue_eur: 'revenue_eur must be an amount from 0 to 1,000,000,000,000,000.',
  llm_score_overall: 'llm_score_overall must be a whole number from 0 to 100.',
  llm_score_details: 'llm_score_details must be a JSON object of up to 65,536 bytes.',
  executives: 'executives must be a list of up to 500 people, of up to 65,536 bytes of JSON.',
  financials: 'financials must be a JSON object of up to 65,536 bytes.',
  owner_email: 'owner_email must be the email address or the name of a user.',
}
