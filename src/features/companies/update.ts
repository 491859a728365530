import { sql } from 'kysely'
import { type Action, insertAction, insertActivity, requireUnchanged } from '#src/features/activity/index.ts'
import { type CustomFields, changeCustomValues } from '#src/features/fields/index.ts'
import { requireThesis } from '#src/features/theses/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { requireOwner } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { jsonObject } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import type { StoredCompany } from './company-row.ts'
import { applyPatch, companyUpdate } from './company-update.ts'
import { COMPANY_READ_ONLY, type CompanyPatch } from './schema.ts'
import { companyFields, lockCompanies, readCompany, rejectUnknownThesis, updateCompanies } from './store.ts'

interface UpdateSources {
  customFields: CustomFields
  db: Db
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
  const { customFields, db } = sources
  return db.transaction().execute(async (transaction) => {
    const locked = await lockCompanies(transaction, sql`companies.id = ${id}`)
    const before = await orTrashed(transaction, locked[0], 'company', id)
    await requireUnchanged(transaction, ifMatch, 'company', before)
    const patch = withoutReadOnly(withoutNotes(body), COMPANY_READ_ONLY)
    const input = patch.custom && { before: before.custom, patch: patch.custom }
    const custom = input && (await changeCustomValues(transaction, customFields, 'company', input))
    const { company, changed } = applyPatch(before, custom ? { ...patch, custom } : patch)
    if (changed.length === 0)
      return { record: orNotFound(await readCompany(transaction, id), 'company', id), isChanged: false }
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
    select (${jsonObject(sql`select ${companyFields} from updated companies`)}) as record`
    .execute(transaction)
    .catch(rejectUnknownThesis(company.thesis_id))
  return orNotFound(rows[0]?.record, 'company', company.id)
}

/** Drops notes about values too large to show, which were sent back. */
const withoutNotes = (patch: CompanyPatch): CompanyPatch =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => !isNote([value].flat()[0])))

const isNote = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'truncated' in value && 'bytes' in value
