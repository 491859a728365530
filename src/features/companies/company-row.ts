import { idTime } from '#src/platform/ids.ts'
import { normalizeCountryCode } from '#src/platform/schema/countries.ts'
import { matchKey } from './match-key.ts'
import type { Company, NewCompany } from './schema.ts'
import { normalizeTags } from './tags.ts'

/** A company's row, with JSON columns parsed and times as ISO 8601. */
export interface StoredCompany extends Omit<Company, 'logo_url'> {
  match_key: string
}

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

/** Trims text, puts the country code in upper case, sorts the tags and updates the match key. */
export function normalizeCompany(company: Omit<StoredCompany, 'match_key'>): StoredCompany {
  const normalized = {
    ...company,
    country_code: company.country_code && normalizeCountryCode(company.country_code),
    tags: normalizeTags(company.tags),
  }
  for (const field of ['name', 'country', 'hq_city', 'industry_category', 'activity_description'] as const)
    if (normalized[field]) normalized[field] = normalized[field].trim()
  return { ...normalized, match_key: matchKey(normalized) }
}
