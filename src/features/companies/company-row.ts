import type { ContactColumns } from '#src/features/contacts/index.ts'
import type { NextStepColumn } from '#src/features/next-steps/index.ts'
import { idTime } from '#src/platform/ids.ts'
import { normalizeCountryCode } from '#src/platform/schema/countries.ts'
import { normalizeName, normalizeText } from '#src/platform/schema/normalize-text.ts'
import type { Company, NewCompany } from './schema.ts'
import { normalizeTags } from './tags.ts'

/** A company's row, with JSON columns parsed and times as ISO 8601, without what triggers derive. */
export type StoredCompany = Omit<
  Company,
  'logo_url' | 'decision_outcome' | 'revisit_on' | keyof ContactColumns | keyof NextStepColumn
>

/** The row of a new company, with defaults. */
export function newCompany(id: string, fields: NewCompany): StoredCompany {
  const time = idTime(id).toISOString()
  return normalizeCompany({
    id,
    country: null,
    country_code: null,
    hq_city: null,
    industry_category: null,
    activity_description: null,
    status: 'active',
    thesis_id: null,
    website: null,
    founded_year: null,
    employee_count: null,
    revenue_eur: null,
    llm_score_overall: null,
    llm_score_details: null,
    executives: null,
    financials: null,
    tags: [],
    owner_email: null,
    custom: {},
    ...fields,
    created_at: time,
    updated_at: time,
  })
}

const NORMALIZE = {
  name: normalizeName,
  country: normalizeText,
  hq_city: normalizeText,
  industry_category: normalizeText,
  activity_description: normalizeText,
}

/** Normalizes and trims text, puts the country code in upper case, and sorts the tags. */
export function normalizeCompany(company: StoredCompany): StoredCompany {
  const normalized = {
    ...company,
    country_code: company.country_code && normalizeCountryCode(company.country_code),
    tags: normalizeTags(company.tags),
  }
  for (const field of Object.keys(NORMALIZE) as (keyof typeof NORMALIZE)[])
    if (normalized[field]) normalized[field] = NORMALIZE[field](normalized[field]).trim() || normalized[field]
  return normalized
}
