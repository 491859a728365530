import { sql } from 'kysely'
import {
  type Action,
  insertAction,
  insertActivity,
  recordAction,
  requireUnchanged,
} from '#src/features/activity/store.ts'
import { foundOutsideTrash } from '#src/features/trash/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { asRecord } from '#src/platform/database/sql.ts'
import { found } from '#src/platform/errors.ts'
import { newId } from '#src/platform/ids.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { type DetailSources, withProfile } from './detail.ts'
import { readProfile } from './read-profile.ts'
import { COMPANY_READ_ONLY, type CompanyPatch, type NewCompany } from './schema.ts'
import {
  applyPatch,
  companyActivity,
  companyFields,
  companyUpdate,
  insertCompanies,
  lockCompanies,
  newCompany,
  readCompany,
  rejectUnknownThesis,
  updateCompanies,
} from './store.ts'

/**
 * Creates a company and its activity record in one statement.
 * @throws InvalidInput when its thesis does not exist
 */
export async function createCompany(db: Db, action: Action, fields: NewCompany): Promise<Json> {
  const company = newCompany(newId('cmp'), fields)
  const { rows } = await sql<{ company: Json }>`
    with companies as (${insertCompanies([company])} returning *),
      action as (${insertAction(action, 1)}),
      activity as (${insertActivity(action.user, [companyActivity('company_created', company.id)], action)})
    select (${asRecord(sql`select ${companyFields} from companies`)}) as company`
    .execute(db)
    .catch(rejectUnknownThesis(fields.thesis_id))
  return rows[0]?.company as Json
}

/**
 * Updates a company and records the changed fields. Writes nothing if no field differs.
 * @returns the company, and whether it has changed
 * @param ifMatch the If-Match header; one of its times must be the time of the last change
 * @throws NotFound, PreconditionFailed when the company has changed since, InvalidInput when the thesis does not exist
 */
export async function updateCompany(
  sources: DetailSources,
  action: Action,
  id: string,
  body: CompanyPatch,
  ifMatch?: string,
): Promise<{ record: Json; isChanged: boolean }> {
  const { db, objects, log } = sources
  // Read before the transaction, so that no lock is held while waiting for object storage.
  const profile = includesProfile(body) ? await readProfile(objects, id, log) : undefined
  const changes = profile?.enriched_data_error ? withoutProfile(body) : body
  return db.transaction().execute(async (transaction) => {
    const locked = await lockCompanies(transaction, sql`companies.id = ${id}`)
    const before = await foundOutsideTrash(transaction, locked[0], 'company', id)
    await requireUnchanged(transaction, ifMatch, 'company', before)
    const patch = await withoutReadOnly(withoutNotes(changes), COMPANY_READ_ONLY, async () => {
      const current = await readCompany(transaction, id)
      return current && profile ? withProfile(current, profile) : current
    })
    const { company, changed } = applyPatch(before, patch)
    if (changed.length > 0) {
      await updateCompanies([company]).execute(transaction).catch(rejectUnknownThesis(patch.thesis_id))
      await recordAction(transaction, action, [companyUpdate(before, company, changed)])
    }
    const record = found(await readCompany(transaction, id), 'company', id)
    return { record, isChanged: changed.length > 0 }
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
