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

/** So many offenders are named. */
const NAMED = 3
/** Whoever waits here for one company holds up all who want one of the others. */
const LOCK_TIMEOUT = '5s'

/**
 * Makes the same changes to many companies, each with its record in the activity log, or none.
 * @throws InvalidInput for companies and for a thesis that do not exist
 */
export async function changeCompanies(
  db: Db,
  user: User | null,
  { ids: named, changes }: CompaniesPatch,
): Promise<CompaniesChanged> {
  const ids = [...new Set(named)]
  const values = tidied(changes)
  const changed = await db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
    const companies = await lockChangeable(transaction, ids)
    const known = new Set(companies.map(({ id }) => id))
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length > 0)
      throw new InvalidReference(
        'ids must be ids of companies',
        unknown.slice(0, NAMED),
        'POST /api/companies',
      )
    const differing = companies
      .map((company) => ({ id: company.id, fields: changedFields(company, values) }))
      .filter(({ fields }) => fields.length > 0)
    if (differing.length === 0) return differing
    await transaction
      .updateTable('companies')
      .set({ ...values, updated_at: laterTime(new Date(), 'updated_at') })
      .where(sql<boolean>`id = any(${differing.map(({ id }) => id)})`)
      .execute()
      .catch(rejectUnknownThesis(changes.thesis_id))
    const activities = differing.map(({ id, fields }) => companyActivity('company_updated', id, { fields }))
    await recordActivity(transaction, user, activities)
    return differing
  })
  return { updated: changed.length, unchanged: ids.length - changed.length }
}

/** As a company is kept: without blanks around. */
const tidied = ({ industry_category, ...changes }: CompanyChanges): CompanyChanges =>
  industry_category === undefined
    ? changes
    : { ...changes, industry_category: industry_category?.trim() ?? null }

/** What can be changed of companies, locked until the transaction's end. */
async function lockChangeable(
  transaction: Db,
  ids: string[],
): Promise<(Required<CompanyChanges> & { id: string })[]> {
  const { rows } = await sql<Required<CompanyChanges> & { id: string }>`
    select id, thesis_id, status, industry_category from companies where id = any(${ids})
    order by id for no key update`.execute(transaction)
  return rows
}
