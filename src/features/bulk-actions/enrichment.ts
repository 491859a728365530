import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { changesOf, recordAction } from '#src/features/activity/index.ts'
import type { NewCompany } from '#src/features/companies/index.ts'
import {
  lockCompanies,
  MIN_CONFIDENCE,
  normalizeCompany,
  type Profile,
  profileKey,
  readCompanies,
  type StoredCompany,
  type StoredProfile,
  sourceKey,
  updateCompanies,
} from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { Unavailable } from '#src/platform/errors.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { countryCodeOf } from '#src/platform/schema/countries.ts'
import { normalizeTexts } from '#src/platform/schema/normalize-text.ts'
import { toCompanyRecord } from './company-record.ts'
import { type BulkActionState, ledgerAction } from './store.ts'
import type { Work } from './work-schema.ts'

/** The model sees at most this much of the row that a company was imported from. */
const MAX_SOURCE_CHARACTERS = 20_000

/**
 * The input for writing companies' profiles.
 * @throws Unavailable when the object storage cannot be read
 */
export async function readEnrichmentWork(
  db: Db,
  objects: Objects,
  company_ids: string[],
): Promise<Omit<NonNullable<Work['enrichment']>, 'model'>> {
  const companies = await readCompanies(db, company_ids)
  return {
    companies: await Promise.all(
      companies.map(async (company) => ({
        company_id: company.id,
        record: toCompanyRecord(withoutFilledFields(company, await readFilled(objects, company.id))),
        source_csv: await readSource(objects, company.id),
      })),
    ),
  }
}

/** Without the fields that earlier profiles filled, unless edited since: they would confirm themselves. */
const withoutFilledFields = (company: StoredCompany, filled: Record<string, unknown>): StoredCompany => ({
  ...company,
  ...Object.fromEntries(Object.keys(unchangedFields(company, filled)).map((field) => [field, null])),
})

const unchangedFields = (company: StoredCompany, filled: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filled).filter(([field, value]) =>
      isDeepStrictEqual(company[field as keyof StoredCompany], normalizeTexts(value)),
    ),
  )

/** The fields that the company's last profile filled. */
async function readFilled(objects: Objects, company_id: string): Promise<Record<string, unknown>> {
  const bytes = await objects.read(profileKey(company_id)).catch(rejectAsUnreadable)
  try {
    return (JSON.parse(bytes?.toString('utf8') ?? '{}') as Partial<StoredProfile>).filled ?? {}
  } catch {
    return {}
  }
}

async function readSource(objects: Objects, company_id: string): Promise<string | null> {
  const bytes = await objects.read(sourceKey(company_id)).catch(rejectAsUnreadable)
  return bytes
    ? bytes.toString('utf8').replaceAll('\0', '').slice(0, MAX_SOURCE_CHARACTERS).toWellFormed()
    : null
}

function rejectAsUnreadable(error: unknown): never {
  throw new Unavailable("The object storage with the companies' files cannot be read.", { cause: error })
}

/**
 * Writes profiles to object storage, fills the companies' empty fields from them, and records it in the activity log.
 * @throws Unavailable if object storage rejects the profiles; the transaction must then be rolled back
 */
export async function storeProfiles(
  transaction: Db,
  objects: Objects,
  action: BulkActionState,
  profiles: Map<string, Profile>,
): Promise<void> {
  if (profiles.size === 0) return
  const companies = await lockCompanies(transaction, sql`companies.id = any(${[...profiles.keys()]})`)
  const enriched_at = new Date().toISOString()
  const previous = await Promise.all(companies.map(({ id }) => readFilled(objects, id)))
  const enriched = companies.map((company, n) =>
    fillFields(company, profiles.get(company.id) as Profile, previous[n] ?? {}, enriched_at),
  )
  const changed = enriched.filter(({ fields }) => fields.length > 0).map(({ after }) => after)
  if (changed.length > 0) await updateCompanies(changed).execute(transaction)
  await recordAction(
    transaction,
    ledgerAction(action),
    enriched.map(({ id, profile, fields, before, after }) => ({
      activity_type: 'company_enriched',
      entity_type: 'company',
      entity_id: id,
      company_id: id,
      metadata: { fields, model: profile.model, bulk_action_id: action.id },
      ...(fields.length > 0 && { changes: changesOf(before, after, fields), timestamp: after.updated_at }),
    })),
  )
  const files = enriched.map(({ id, profile, filled }): [string, string] => {
    const stored: StoredProfile = {
      company_id: id,
      ...profile,
      filled,
      enriched_at,
      bulk_action_id: action.id,
    }
    return [profileKey(id), JSON.stringify(stored)]
  })
  // Last, so that a failed transaction leaves no profile behind.
  await objects.write(files).catch((error) => {
    throw new Unavailable('The object storage does not accept enrichment profiles.', { cause: error })
  })
}

/** Fills the company's empty fields from its profile. */
function fillFields(
  company: StoredCompany,
  profile: Profile,
  previouslyFilled: Record<string, unknown>,
  enriched_at: string,
) {
  const updated_at = enriched_at > company.updated_at ? enriched_at : timeAfter(company.updated_at)
  const fields = emptyFields(company, factsOf(profile))
  const filled = { ...unchangedFields(company, previouslyFilled), ...fields }
  const after = normalizeCompany({ ...company, ...fields, updated_at })
  return { id: company.id, profile, fields: Object.keys(fields), filled, before: company, after }
}

type Fields = Partial<Omit<NewCompany, 'name'>>

/** The facts of a profile with enough confidence, as fields of the company. */
function factsOf(profile: Profile): Fields {
  const sure = <T>(fact: { value: T; source: string; confidence: number } | null): T | undefined =>
    fact && fact.source !== 'model' && fact.confidence >= MIN_CONFIDENCE ? fact.value : undefined
  const financials = sure(profile.financials)
  const latest = financials?.toSorted((a, b) => b.year - a.year)[0]
  return {
    activity_description: sure(profile.summary),
    industry_category: sure(profile.industry),
    ...headquarters(sure(profile.locations) ?? []),
    founded_year: sure(profile.founded_year),
    employee_count: sure(profile.employee_count),
    executives: sure(profile.executives),
    financials:
      financials && Object.fromEntries(financials.map(({ year, ...figures }) => [String(year), figures])),
    revenue_eur: latest?.revenue_eur,
  }
}

function headquarters(locations: NonNullable<Profile['locations']>['value']): Fields {
  const { city, country } = locations.find(({ is_headquarters }) => is_headquarters) ?? {}
  const country_code = country ? countryCodeOf(country) : undefined
  return { hq_city: city, ...(country_code && { country, country_code }) }
}

/** Those of the fields that are empty in the company. */
function emptyFields(company: StoredCompany, fields: Fields): Fields {
  const { hq_city, country, country_code, ...others } = fields
  const usable = contradictsLocation(company, fields) ? others : fields
  const isFilled = ([field, value]: [string, unknown]) =>
    value !== undefined && value !== null && isEmpty(company[field as keyof Fields])
  return Object.fromEntries(Object.entries(usable).filter(isFilled)) as Fields
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value as object).length === 0)

/** Whether the profile contradicts the company's location: mixing city and country of both would be wrong. */
function contradictsLocation(company: StoredCompany, { hq_city, country_code }: Fields): boolean {
  const differ = (known: string | null, said: string | null | undefined) =>
    Boolean(known && said && known.toLowerCase() !== said.toLowerCase())
  const known =
    company.country_code ?? (company.country && (countryCodeOf(company.country) ?? company.country))
  return differ(company.hq_city, hq_city) || differ(known, country_code)
}
