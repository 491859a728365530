import type { StoredCompany } from '#src/features/companies/index.ts'
import { CompanyRecord } from './work-schema.ts'

const FIELDS = Object.keys(CompanyRecord.properties) as (keyof CompanyRecord)[]

/** The fields of a company that a language model sees: facts from people, no output of models. */
export const toCompanyRecord = (company: StoredCompany): CompanyRecord =>
  Object.fromEntries(FIELDS.map((field) => [field, company[field]])) as CompanyRecord
