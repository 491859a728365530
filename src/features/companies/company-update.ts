import { changesOf, type NewActivity } from '#src/features/activity/index.ts'
import { patchedNames, withCustomNames } from '#src/features/fields/index.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { normalizeCompany, type StoredCompany } from './company-row.ts'
import type { CompanyPatch } from './schema.ts'

/**
 * Applies the patch, and lists the fields that it changes: a custom one as `custom.<key>`.
 * @param patch if it has `custom`, all custom values
 */
export function applyPatch(
  before: StoredCompany,
  patch: CompanyPatch,
): { company: StoredCompany; changed: string[] } {
  const company = normalizeCompany({ ...before, ...patch, updated_at: timeAfter(before.updated_at) })
  const { updated_at: _time, ...fields } = company
  const changes = changesOf(withCustomNames(before), withCustomNames(fields), patchedNames(before, fields))
  return { company, changed: Object.keys(changes) }
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
