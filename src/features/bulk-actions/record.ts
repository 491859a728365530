import type { StoredCompany } from '#src/features/companies/store.ts'
import { CompanyRecord } from './work-schema.ts'

const FIELDS = Object.keys(CompanyRecord.properties) as (keyof CompanyRecord)[]

/** What a language model is told of a company: what people know of it, not what models have made of that. */
export const recordOf = (company: StoredCompany): CompanyRecord =>
  Object.fromEntries(FIELDS.map((field) => [field, company[field]])) as CompanyRecord
