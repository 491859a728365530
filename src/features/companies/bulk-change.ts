import { sql } from 'kysely'
import { type Action, changesOf, recordAction } from '#src/features/activity/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { timeAfter, utc } from '#src/platform/database/sql.ts'
import { InvalidReference } from '#src/platform/errors.ts'
import type { CompaniesChanged, CompaniesPatch, CompanyChanges } from './bulk-change-schema.ts'
import { companyActivity, rejectUnknownThesis } from './store.ts'

/** An error lists at most this many unknown ids. */
const MAX_LISTED_IDS = 3
/** Waiting for one locked company blocks everyone who needs the companies that are already locked here. */
const LOCK_TIMEOUT = '5s'

type ChangeableCompany = Required<CompanyChanges> & { id: string; updated_at: string }

const CHANGED_COLUMNS = { changed_id: 'text', changed_at: 'text' } as const

/**
 * Makes the same changes to many companies, or to none, and records an activity for each.
 * @throws InvalidInput for companies or a thesis that do not exist
 */
export async function changeCompanies(
  db: Db,
  action: Action,
  { ids, changes }: CompaniesPatch,
): Promise<CompaniesChanged> {
  const distinctIds = [...new Set(ids)]
  const values = normalizeChanges(changes)
  const updated = await db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
    const companies = await lockCompanies(transaction, distinctIds)
    const fields = Object.keys(values)
    const differing = companies
      .map((company) => ({
        changed_id: company.id,
        changed_at: timeAfter(company.updated_at),
        changes: changesOf(company, values, fields),
      }))
      .filter(({ changes }) => Object.keys(changes).length > 0)
    if (differing.length === 0) return 0
    const assignments = Object.entries(values).map(([field, value]) => sql`${sql.id(field)} = ${value}`)
    await sql`
      update companies set ${sql.join(assignments)}, updated_at = changed_at::timestamptz
      from ${rowsFrom('changed', CHANGED_COLUMNS, differing)} where id = changed_id`
      .execute(transaction)
      .catch(rejectUnknownThesis(changes.thesis_id))
    const activities = differing.map(({ changed_id, changed_at, changes }) => ({
      ...companyActivity('company_updated', changed_id, { fields: Object.keys(changes) }),
      changes,
      timestamp: changed_at,
    }))
    await recordAction(transaction, action, activities)
    return differing.length
  })
  return { updated, unchanged: distinctIds.length - updated, action_id: updated > 0 ? action.id : null }
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
    select id, thesis_id, status, industry_category, ${utc('updated_at')} from companies where id = any(${ids})
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
