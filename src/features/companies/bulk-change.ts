import { sql } from 'kysely'
import { recordActivity } from '#src/features/activity/store.ts'
import { changedFields } from '#src/platform/changed-fields.ts'
import type { Db } from '#src/platform/database/database.ts'
import { laterTime } from '#src/platform/database/sql.ts'
import { InvalidReference } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import type { CompaniesChanged, CompaniesPatch, CompanyChanges } from './bulk-change-schema.ts'
import { rejectUnknownThesis } from './store.ts'
import { companyActivity } from './write.ts'

/** An error lists at most this many unknown ids. */
const MAX_LISTED_IDS = 3
/** Waiting for one locked company blocks everyone who needs the companies that are already locked here. */
const LOCK_TIMEOUT = '5s'

type ChangeableCompany = Required<CompanyChanges> & { id: string }

/**
 * Makes the same changes to many companies, or to none, and records an activity for each.
 * @throws InvalidInput for companies or a thesis that do not exist
 */
export async function changeCompanies(
  db: Db,
  user: User | null,
  { ids, changes }: CompaniesPatch,
): Promise<CompaniesChanged> {
  const distinctIds = [...new Set(ids)]
  const values = normalizeChanges(changes)
  const updated = await db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
    const companies = await lockCompanies(transaction, distinctIds)
    const differing = companies
      .map((company) => ({ id: company.id, fields: changedFields(company, values) }))
      .filter(({ fields }) => fields.length > 0)
    if (differing.length === 0) return 0
    await transaction
      .updateTable('companies')
      .set({ ...values, updated_at: laterTime(new Date(), 'updated_at') })
      .where(sql<boolean>`id = any(${differing.map(({ id }) => id)})`)
      .execute()
      .catch(rejectUnknownThesis(changes.thesis_id))
    const activities = differing.map(({ id, fields }) => companyActivity('company_updated', id, { fields }))
    await recordActivity(transaction, user, activities)
    return differing.length
  })
  return { updated, unchanged: distinctIds.length - updated }
}

/** Trims text, as it is when a company is stored. */
const normalizeChanges = ({ industry_category, ...changes }: CompanyChanges): CompanyChanges =>
  industry_category === undefined
    ? changes
    : { ...changes, industry_category: industry_category?.trim() ?? null }

/**
 * The changeable fields of companies, which stay locked until the transaction ends.
 * @throws InvalidReference when there is no such company
 */
async function lockCompanies(transaction: Db, ids: string[]): Promise<ChangeableCompany[]> {
  const { rows } = await sql<ChangeableCompany>`
    select id, thesis_id, status, industry_category from companies where id = any(${ids})
    order by id for no key update`.execute(transaction)
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw new InvalidReference(
      'ids must be ids of companies',
      unknown.slice(0, MAX_LISTED_IDS),
      'POST /api/companies',
    )
  return rows
}
