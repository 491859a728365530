import { sql } from 'kysely'
import { type Action, changesOf, recordAction } from '#src/features/activity/store.ts'
import type { CustomValues } from '#src/features/custom-fields/schema.ts'
import {
  type CustomFields,
  changeCustom,
  patchedNames,
  requireCustomUsers,
  withCustomNames,
} from '#src/features/custom-fields/store.ts'
import { requireThesis } from '#src/features/theses/store.ts'
import { unknownCompanies } from '#src/features/trash/store.ts'
import { requireOwner } from '#src/features/users/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { all, timeAfter, utc } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import {
  type CompaniesChanged,
  type CompaniesPatch,
  type CompanyChanges,
  MAX_CHANGED_COMPANIES,
} from './bulk-change-schema.ts'
import { companyActivity, rejectUnknownThesis } from './store.ts'
import { MAX_TAGS } from './tag-schema.ts'
import { foldTag, normalizeTags } from './tags.ts'
import { requireExpected, type Target, targetOf } from './targets.ts'

/** Waiting for one locked company blocks everyone who needs the companies that are already locked here. */
const LOCK_TIMEOUT = '5s'

type Values = Omit<CompanyChanges, 'add_tags' | 'remove_tags'>
type ChangeableCompany = Required<Values> & { id: string; custom: CustomValues; updated_at: string }

const CHANGED_COLUMNS = {
  changed_id: 'text',
  changed_at: 'text',
  changed_tags: 'text',
  changed_custom: 'text',
} as const

/**
 * Makes the same changes to many companies, or to none, and records an activity for each.
 * @param requirePermission throws if the caller may not change this many companies
 * @throws InvalidInput for companies, a thesis or an owner that do not exist, for wrong custom values, and when a company
 *   would have too many tags; Conflict if there are not as many companies as expected
 */
export async function changeCompanies(
  db: Db,
  customFields: CustomFields,
  action: Action,
  { ids, filter, search, expect, changes }: CompaniesPatch,
  requirePermission: (companies: number) => void,
): Promise<CompaniesChanged> {
  const target = await targetOf(db, action.user, { ids, filter, search }, 'ids')
  if ('ids' in target) requirePermission(target.ids.length)
  const { add_tags, remove_tags, ...sent } = changes
  const { custom, ...values } = normalizeChanges(sent)
  const { total, updated } = await db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
    await requireOwner(transaction, values.owner_email)
    await requireThesis(transaction, values.thesis_id)
    const companies = await lockCompanies(transaction, target)
    const total = companies.length
    const isFiltered = !('ids' in target)
    if (isFiltered || expect !== undefined) requireExpected(total, expect, MAX_CHANGED_COMPANIES)
    if (isFiltered) requirePermission(total)
    const definitions = custom && (await customFields.lock(transaction, 'company'))
    const differing = companies
      .map((company) => {
        const tags = tagsAfter(company, changes)
        const after: Values = {
          ...values,
          tags,
          ...(definitions && custom && { custom: changeCustom(definitions, company.custom, custom) }),
        }
        return {
          custom: { before: company.custom, after: after.custom ?? {} },
          changed_id: company.id,
          changed_at: timeAfter(company.updated_at),
          changed_tags: tags.join(),
          changed_custom: after.custom ? JSON.stringify(after.custom) : null,
          changes: changesOf(withCustomNames(company), withCustomNames(after), patchedNames(company, after)),
        }
      })
      .filter(({ changes }) => Object.keys(changes).length > 0)
    if (differing.length === 0) return { total, updated: 0 }
    if (definitions)
      await requireCustomUsers(
        transaction,
        definitions,
        differing.map(({ custom: given }) => given),
      )
    const assignments = Object.entries(values).map(([field, value]) => sql`${sql.id(field)} = ${value}`)
    if (custom) assignments.push(sql`custom = changed_custom::jsonb`)
    await sql`
      update companies set ${sql.join([...assignments, storedTags])}, updated_at = changed_at::timestamptz
      from ${rowsFrom('changed', CHANGED_COLUMNS, differing)} where id = changed_id`
      .execute(transaction)
      .catch(rejectUnknownThesis(changes.thesis_id))
    const activities = differing.map(({ changed_id, changed_at, changes }) => ({
      ...companyActivity('company_updated', changed_id, { fields: Object.keys(changes) }),
      changes,
      timestamp: changed_at,
    }))
    await recordAction(transaction, action, activities)
    return { total, updated: differing.length }
  })
  return { updated, unchanged: total - updated, action_id: updated > 0 ? action.id : null }
}

/** No tag contains a comma. */
const storedTags = sql`tags = string_to_array(changed_tags, ',')`

/** Trims text, as it is when a company is stored. Tags differ by company. */
const normalizeChanges = ({ industry_category, tags: _tags, ...changes }: Values): Omit<Values, 'tags'> =>
  industry_category === undefined
    ? changes
    : { ...changes, industry_category: industry_category?.trim() ?? null }

/** @throws InvalidInput for too many tags */
function tagsAfter(
  { id, tags: before }: ChangeableCompany,
  { tags = before, add_tags = [], remove_tags = [] }: CompanyChanges,
): string[] {
  const removed = new Set(remove_tags.map(foldTag))
  const kept = tags.filter((tag) => !removed.has(foldTag(tag)))
  const after = normalizeTags([...kept, ...add_tags])
  if (after.length > MAX_TAGS && add_tags.length > 0)
    throw new InvalidInput(
      `add_tags would give ${id} ${after.length} tags. A company has at most ${MAX_TAGS}.`,
    )
  return after
}

/**
 * The changeable fields of companies, which stay locked until the transaction ends.
 * @throws InvalidInput when there is no such company
 */
async function lockCompanies(transaction: Db, target: Target): Promise<ChangeableCompany[]> {
  const where = 'ids' in target ? sql`companies.id = any(${target.ids})` : all(target.conditions)
  // A company that another transaction has just changed is locked only if it still matches.
  const { rows } = await sql<ChangeableCompany>`
    select companies.id, thesis_id, status, industry_category, tags, owner_email, custom, ${utc('updated_at')} from companies
    where ${where} order by companies.id limit ${MAX_CHANGED_COMPANIES + 1} for no key update`.execute(
    transaction,
  )
  if (!('ids' in target)) return rows
  const known = new Set(rows.map(({ id }) => id))
  const unknown = target.ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw await unknownCompanies(transaction, 'ids must be ids of companies', unknown)
  return rows
}
