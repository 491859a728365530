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
  normalizeCompany,
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
      activity as (${insertActivity(user, [companyActivity('company_created', company.id)])})
    select (${asRecord(sql`select ${companyFields} from companies`)}) as company`
    .execute(db)
    .catch(rejectUnknownThesis(fields.thesis_id))
  return rows[0]?.company as Json
}

/**
 * Updates a company and records the changed fields. Writes nothing if no field differs.
 * @param ifMatch the If-Match header; one of its times must be the time of the last change
 * @throws NotFound, PreconditionFailed when the company has changed since, InvalidInput when the thesis does not exist
 */
export async function updateCompany(
  sources: DetailSources,
  user: User | null,
  id: string,
  body: CompanyPatch,
  ifMatch?: string,
): Promise<Json> {
  const { db, objects, log } = sources
  // Read before the transaction, so that no lock is held while waiting for object storage.
  const profile = includesProfile(body) ? await readProfile(objects, id, log) : undefined
  const changes = profile?.enriched_data_error ? withoutProfile(body) : body
  return db.transaction().execute(async (transaction) => {
    const locked = await lockCompanies(transaction, sql`companies.id = ${id}`)
    const before = found(locked[0], 'company', id)
    await requireUnchanged(transaction, ifMatch, 'company', before)
    const patch = await withoutReadOnly(withoutNotes(changes), COMPANY_READ_ONLY, async () => {
      const current = await readCompany(transaction, id)
      return current && profile ? withProfile(current, profile) : current
    })
    const { company, changed } = applyPatch(before, patch)
    if (changed.length > 0) {
      await updateCompanies([company]).execute(transaction).catch(rejectUnknownThesis(patch.thesis_id))
      await recordActivity(transaction, user, [companyActivity('company_updated', id, { fields: changed })])
    }
    return found(await readCompany(transaction, id), 'company', id)
  })
}

const includesProfile = (body: object): boolean => 'enriched_data' in body || 'enriched_data_error' in body

/** A profile that cannot be read cannot be compared with the body. It is read-only anyway. */
function withoutProfile(body: CompanyPatch): CompanyPatch {
  const { enriched_data: _profile, enriched_data_error: _error, ...others } = body as Record<string, unknown>
  return others
}

/** Drops fields that were sent back as a note about a value that was too large to show. */
const withoutNotes = (patch: CompanyPatch): CompanyPatch =>
  Object.fromEntries(Object.entries(patch).filter(([_field, value]) => !isNote([value].flat()[0])))

const isNote = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'truncated' in value && 'bytes' in value

const IDENTITY_FIELDS: ReadonlySet<string> = new Set(['name', 'website', 'country', 'country_code'])

/** Applies the patch, and lists the fields that it changes. */
export function applyPatch(
  before: StoredCompany,
  patch: CompanyPatch,
): { company: StoredCompany; changed: string[] } {
  const company = normalizeCompany({ ...before, ...patch, updated_at: new Date().toISOString() })
  const { updated_at: _time, match_key: _key, ...fields } = company
  const changed = changedFields(before, fields)
  // Fields that an enrichment filled do not affect how imports match the company, until someone edits them.
  const changesIdentity = changed.some((field) => IDENTITY_FIELDS.has(field))
  return { company: changesIdentity ? company : { ...company, match_key: before.match_key }, changed }
}

/** An activity record about a company. */
export const companyActivity = (
  activity_type: 'company_created' | 'company_updated',
  id: string,
  metadata: Record<string, unknown> = {},
) => ({ activity_type, entity_type: 'company', entity_id: id, company_id: id, metadata }) as const
