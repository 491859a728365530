import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Action, insertAction, insertActivity, requireUnchanged } from '#src/features/activity/store.ts'
import { type CustomFields, changeCustomValues } from '#src/features/custom-fields/store.ts'
import { requireThesis } from '#src/features/theses/store.ts'
import { foundOutsideTrash, readMerged } from '#src/features/trash/store.ts'
import { requireOwner } from '#src/features/users/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { asRecord } from '#src/platform/database/sql.ts'
import { found } from '#src/platform/errors.ts'
import type { CachingObjects } from '#src/platform/objects/cache.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { withProfile } from './detail.ts'
import { readProfile } from './read-profile.ts'
import { COMPANY_READ_ONLY, type CompanyPatch } from './schema.ts'
import {
  applyPatch,
  companyFields,
  companyUpdate,
  lockCompanies,
  readCompany,
  rejectUnknownThesis,
  type StoredCompany,
  updateCompanies,
} from './store.ts'

interface UpdateSources {
  customFields: CustomFields
  db: Db
  objects: CachingObjects
  log: FastifyBaseLogger
}

/**
 * Updates a company and records the changed fields. Writes nothing if no field differs.
 * @returns the company, and whether it has changed
 * @param ifMatch the If-Match header; one of its times must be the time of the last change
 * @throws NotFound, PreconditionFailed when the company has changed since, InvalidInput when the thesis does not exist, or
 *   for wrong custom values
 */
export async function updateCompany(
  sources: UpdateSources,
  action: Action,
  id: string,
  body: CompanyPatch,
  ifMatch?: string,
): Promise<{ record: Json; isChanged: boolean }> {
  const { customFields, db, objects, log } = sources
  // Read before the transaction, so that no lock is held while waiting for object storage.
  const profile = includesProfile(body)
    ? await readProfile(objects, [id, ...(await readMerged(db, id))], log)
    : undefined
  const changes = profile?.enriched_data_error ? withoutProfile(body) : body
  return db.transaction().execute(async (transaction) => {
    const locked = await lockCompanies(transaction, sql`companies.id = ${id}`)
    const before = await foundOutsideTrash(transaction, locked[0], 'company', id)
    await requireUnchanged(transaction, ifMatch, 'company', before)
    const patch = await withoutReadOnly(withoutNotes(changes), COMPANY_READ_ONLY, async () => {
      const current = await readCompany(transaction, id)
      return current && profile ? withProfile(current, profile) : current
    })
    const given = patch.custom && { before: before.custom, patch: patch.custom }
    const custom = given && (await changeCustomValues(transaction, customFields, 'company', given))
    const { company, changed } = applyPatch(before, custom ? { ...patch, custom } : patch)
    if (changed.length === 0)
      return { record: found(await readCompany(transaction, id), 'company', id), isChanged: false }
    if (changed.includes('owner_email')) await requireOwner(transaction, company.owner_email)
    if (changed.includes('thesis_id')) await requireThesis(transaction, company.thesis_id)
    return { record: await storeUpdate(transaction, action, before, company, changed), isChanged: true }
  })
}

/** Writes a company and its activity record in one statement. */
async function storeUpdate(
  transaction: Db,
  action: Action,
  before: StoredCompany,
  company: StoredCompany,
  changed: string[],
): Promise<Json> {
  const activity = insertActivity(action.user, [companyUpdate(before, company, changed)], action)
  const { rows } = await sql<{ record: Json }>`
    with updated as (${updateCompanies([company])} returning companies.*),
      action as (${insertAction(action, 1)}),
      activity as (${activity})
    select (${asRecord(sql`select ${companyFields} from updated companies`)}) as record`
    .execute(transaction)
    .catch(rejectUnknownThesis(company.thesis_id))
  return found(rows[0]?.record, 'company', company.id)
}

const includesProfile = (body: object): boolean => 'enriched_data' in body || 'enriched_data_error' in body

/** A profile that cannot be read cannot be compared with the body. It is read-only anyway. */
function withoutProfile(body: CompanyPatch): CompanyPatch {
  const { enriched_data: _profile, enriched_data_error: _error, ...others } = body as Record<string, unknown>
  return others
}

/** In a response, but not in the record. A logo can change while the record does not. */
const NOT_IN_RECORD = ['possible_duplicates', 'logo_url']

/** Drops what was sent back of a response but is no field, such as notes about values too large to show. */
const withoutNotes = (patch: CompanyPatch): CompanyPatch =>
  Object.fromEntries(
    Object.entries(patch).filter(
      ([field, value]) => !NOT_IN_RECORD.includes(field) && !isNote([value].flat()[0]),
    ),
  )

const isNote = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'truncated' in value && 'bytes' in value
