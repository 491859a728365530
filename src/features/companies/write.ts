import { sql } from 'kysely'
import { insertActivity, recordActivity, requireUnchanged } from '#src/features/activity/store.ts'
import { changedFields } from '#src/platform/changed-fields.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { asRecord } from '#src/platform/database/sql.ts'
import { found } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId } from '#src/platform/ids.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { type DetailSources, withProfile } from './detail.ts'
import { readProfile } from './read-profile.ts'
import { COMPANY_READ_ONLY, type CompanyPatch, type NewCompany } from './schema.ts'
import {
  companyFields,
  insertCompanies,
  lockCompanies,
  newCompany,
  normalized,
  readCompany,
  rejectUnknownThesis,
  type StoredCompany,
  updateCompanies,
} from './store.ts'

/**
 * Creates a company and its activity record in one statement.
 * @throws InvalidInput when its thesis does not exist
 */
export async function createCompany(db: Db, user: User | null, fields: NewCompany): Promise<Json> {
  const company = newCompany(newId('cmp'), fields)
  const { rows } = await sql<{ company: Json }>`
    with companies as (${insertCompanies([company])} returning *),
      noted as (${insertActivity(user, [companyActivity('company_created', company.id)])})
    select (${asRecord(sql`select ${companyFields} from companies`)}) as company`
    .execute(db)
    .catch(rejectUnknownThesis(fields.thesis_id))
  return rows[0]?.company as Json
}

/**
 * Changes a company and notes the changed fields; when nothing differs, nothing is written.
 * @param ifMatch the times of which one must be that of its last change
 * @throws NotFound when there is none, PreconditionFailed when it has changed since, InvalidInput when its thesis does not exist
 */
export async function updateCompany(
  sources: DetailSources,
  user: User | null,
  id: string,
  body: CompanyPatch,
  ifMatch?: string,
): Promise<Json> {
  const { db, objects, log } = sources
  // Before the transaction: nobody else waits for object storage.
  const profile = namesProfile(body) ? await readProfile(objects, id, log) : undefined
  const changes = profile?.enriched_data_error ? withoutProfile(body) : body
  return db.transaction().execute(async (transaction) => {
    const locked = await lockCompanies(transaction, sql`companies.id = ${id}`)
    const before = found(locked[0], 'company', id)
    await requireUnchanged(transaction, ifMatch, 'company', before)
    const patch = await withoutReadOnly(withoutNotes(changes), COMPANY_READ_ONLY, async () => {
      const company = await readCompany(transaction, id)
      return company && profile ? withProfile(company, profile) : company
    })
    const after = merged(before, patch)
    if (after.changed.length > 0) {
      await updateCompanies([after.company]).execute(transaction).catch(rejectUnknownThesis(patch.thesis_id))
      const metadata = { fields: after.changed }
      await recordActivity(transaction, user, [companyActivity('company_updated', id, metadata)])
    }
    return found(await readCompany(transaction, id), 'company', id)
  })
}

const namesProfile = (body: object): boolean => 'enriched_data' in body || 'enriched_data_error' in body

/** While the profile cannot be read there is nothing to compare with, and it is not written in any case. */
function withoutProfile(body: CompanyPatch): CompanyPatch {
  const { enriched_data: _profile, enriched_data_error: _error, ...others } = body as Record<string, unknown>
  return others
}

/** A note of the size of a value that is too large to show, sent back, leaves the value as it is. */
const withoutNotes = (patch: CompanyPatch): CompanyPatch =>
  Object.fromEntries(Object.entries(patch).filter(([_field, value]) => !isNote([value].flat()[0])))

const isNote = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'truncated' in value && 'bytes' in value

const IDENTIFYING: ReadonlySet<string> = new Set(['name', 'website', 'country', 'country_code'])

/** The company with the patch applied, and the names of the fields that it changed. */
export function merged(
  before: StoredCompany,
  patch: CompanyPatch,
): { company: StoredCompany; changed: string[] } {
  const company = normalized({ ...before, ...patch, updated_at: new Date().toISOString() })
  const { updated_at: _time, match_key: _key, ...fields } = company
  const changed = changedFields(before, fields)
  // What an enrichment has filled is not what an import knows the company by, until a person changes it.
  const isKnownOtherwise = changed.some((field) => IDENTIFYING.has(field))
  return { company: isKnownOtherwise ? company : { ...company, match_key: before.match_key }, changed }
}

/** An activity record about a company. */
export const companyActivity = (
  activity_type: 'company_created' | 'company_updated',
  id: string,
  metadata: Record<string, unknown> = {},
) => ({ activity_type, entity_type: 'company', entity_id: id, company_id: id, metadata }) as const
