import { changesOf, type NewActivity } from '#src/features/activity/store.ts'
import { changedNames, withCustomNames } from '#src/features/custom-fields/store.ts'
import { changedFields } from '#src/platform/changed-fields.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { normalizeCompany, type StoredCompany } from './company-row.ts'
import type { CompanyPatch } from './schema.ts'

const IDENTITY_FIELDS: ReadonlySet<string> = new Set(['name', 'website', 'country', 'country_code'])

/**
 * Applies the patch, and lists the fields that it changes: a custom one as `custom.<key>`.
 * @param patch if it has `custom`, all custom values
 */
export function applyPatch(
  before: StoredCompany,
  patch: CompanyPatch,
): { company: StoredCompany; changed: string[] } {
  const company = normalizeCompany({ ...before, ...patch, updated_at: timeAfter(before.updated_at) })
  const { updated_at: _time, match_key: _key, ...fields } = company
  const changed = changedNames(changedFields(before, fields), before.custom, company.custom)
  // Fields that an enrichment filled do not affect how imports match the company, until someone edits them.
  const changesIdentity = changed.some((field) => IDENTITY_FIELDS.has(field))
  return { company: changesIdentity ? company : { ...company, match_key: before.match_key }, changed }
}

/** The activity record of a change. */
export const companyUpdate = (
  before: StoredCompany,
  after: StoredCompany,
  fields: string[],
  metadata: Record<string, unknown> = {},
): NewActivity => ({
  ...companyActivity('company_updated', after.id, { fields, ...metadata }),
  changes: changesOf(withCustomNames(before), withCustomNames(after), fields),
  timestamp: after.updated_at,
})

/** An activity record about a company. */
export const companyActivity = (
  activity_type: `company_${'created' | 'updated' | 'deleted' | 'restored' | 'purged' | 'merged' | 'unmerged'}`,
  id: string,
  metadata: Record<string, unknown> = {},
) => ({ activity_type, entity_type: 'company', entity_id: id, company_id: id, metadata }) as const
