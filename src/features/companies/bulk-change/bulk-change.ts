import { sql } from 'kysely'
import {
  type Action,
  type AtomicChangeDb,
  type Changes,
  changeAtomically,
  changesOf,
  recordAction,
} from '#src/features/activity/index.ts'
import type { CustomValues } from '#src/features/fields/index.ts'
import {
  type CustomFieldMap,
  type CustomFields,
  changeCustom,
  patchedNames,
  requireCustomUsers,
  withCustomNames,
} from '#src/features/fields/index.ts'
import { requireThesis } from '#src/features/theses/index.ts'
import { unknownCompanies } from '#src/features/trash/index.ts'
import { requireOwner } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { limitLockTime } from '#src/platform/database/short-transaction.ts'
import { all, timeAfter, utc } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import { companyActivity } from '../company-update.ts'
import { rejectUnknownThesis } from '../store.ts'
import { MAX_TAGS } from '../tag-schema.ts'
import { foldTag, normalizeTag, normalizeTags } from '../tags.ts'
import {
  type CompaniesChanged,
  type CompaniesPatch,
  type CompanyChanges,
  MAX_CHANGED_COMPANIES,
} from './bulk-change-schema.ts'
import { requireExpected, type Target, targetOf } from './targets.ts'

type Values = Omit<CompanyChanges, 'add_tags' | 'remove_tags'>
type TaggedCompany = { id: string; tags: string[] }
type ChangeableCompany = Required<Values> & { id: string; custom: CustomValues; updated_at: string }

/** What a request changes, apart from tags, which differ by company. */
interface Change {
  tags: Pick<CompanyChanges, 'tags' | 'add_tags' | 'remove_tags'>
  custom: CustomValues | undefined
  values: Omit<Values, 'tags' | 'custom'>
}

/** A company whose values a request changes. */
interface DifferingCompany {
  id: string
  changed_at: string
  changed_tags: string
  changed_custom: string | null
  custom: { before: CustomValues; after: CustomValues }
  changes: Changes
}

const CHANGED_COLUMNS = {
  id: 'text',
  changed_at: 'text',
  changed_tags: 'text',
  changed_custom: 'text',
} as const

interface Parts extends AtomicChangeDb {
  caller: FilterCaller
  customFields: CustomFields
}

/**
 * Makes the same changes to many companies, or to none, and records an activity for each.
 * @param requirePermission throws if the caller may not change this many companies
 * @throws InvalidInput for companies, a thesis or an owner that do not exist, for wrong custom values, and when a company
 *   would have too many tags; Conflict if there are not as many companies as expected
 */
export async function changeCompanies(
  { customFields, caller, ...parts }: Parts,
  action: Action,
  { ids, filter, search, expect, changes }: CompaniesPatch,
  requirePermission: (companies: number) => void,
): Promise<CompaniesChanged> {
  const target = await targetOf(parts.db, caller, { ids, filter, search }, 'ids')
  const isFiltered = !('ids' in target)
  if (!isFiltered) requirePermission(target.ids.length)
  const change = changeOf(changes)
  let total = 0
  const updated = await changeAtomically(parts, action, {
    most: MAX_CHANGED_COMPANIES,
    async find(transaction, rest) {
      await limitLockTime(transaction)
      await requireOwner(transaction, change.values.owner_email)
      await requireThesis(transaction, change.values.thesis_id)
      if (rest) return rest
      const companies = await lockTarget(transaction, target)
      total = companies.length
      if (isFiltered || expect !== undefined) requireExpected(total, expect, MAX_CHANGED_COMPANIES)
      if (isFiltered) requirePermission(total)
      for (const company of companies) tagsAfter(company, change.tags)
      return companies.map(({ id }) => id)
    },
    async write(transaction, batch) {
      const companies = await lockCompanies(transaction, batch)
      const definitions = change.custom && (await customFields.lock(transaction, 'company'))
      const differing = differingCompanies(companies, change, definitions)
      if (definitions)
        await requireCustomUsers(
          transaction,
          definitions,
          differing.map(({ custom }) => custom),
        )
      if (differing.length > 0) await write(transaction, action, change, differing)
      return differing.length
    },
  })
  return { updated, unchanged: total - updated, action_id: updated > 0 ? action.id : null }
}

/** Makes the changes in one statement, and records them. */
async function write(
  transaction: Db,
  action: Action,
  { values, custom }: Change,
  differing: DifferingCompany[],
): Promise<void> {
  const assignments = Object.entries(values).map(([field, value]) => sql`${sql.id(field)} = ${value}`)
  if (custom) assignments.push(sql`custom = changed_custom::jsonb`)
  await sql`
    update companies set ${sql.join([...assignments, storedTags])}, updated_at = changed_at::timestamptz
    from ${rowsFrom('changed', CHANGED_COLUMNS, differing)} where companies.id = changed.id`
    .execute(transaction)
    .catch(rejectUnknownThesis(values.thesis_id))
  const activities = differing.map(({ id, changed_at, changes }) => ({
    ...companyActivity('company_updated', id, { fields: Object.keys(changes) }),
    changes,
    timestamp: changed_at,
  }))
  await recordAction(transaction, action, activities)
}

/** No tag contains a comma. */
const storedTags = sql`tags = string_to_array(changed_tags, ',')`

/** Trims text, as it is when a company is stored. */
function changeOf({ tags, add_tags, remove_tags, custom, ...values }: CompanyChanges): Change {
  requireDistinctTags(add_tags, remove_tags)
  if (values.industry_category) values.industry_category = values.industry_category.trim()
  return { tags: { tags, add_tags, remove_tags }, custom, values }
}

/** Those of the companies whose values the change changes. */
const differingCompanies = (
  companies: ChangeableCompany[],
  change: Change,
  definitions: CustomFieldMap | undefined,
): DifferingCompany[] =>
  companies
    .map((company) => {
      const tags = tagsAfter(company, change.tags)
      const custom = definitions && change.custom && changeCustom(definitions, company.custom, change.custom)
      const after: Values = { ...change.values, tags, ...(custom && { custom }) }
      return {
        id: company.id,
        changed_at: timeAfter(company.updated_at),
        changed_tags: tags.join(),
        changed_custom: custom ? JSON.stringify(custom) : null,
        custom: { before: company.custom, after: custom ?? {} },
        changes: changesOf(withCustomNames(company), withCustomNames(after), patchedNames(company, after)),
      }
    })
    .filter(({ changes }) => Object.keys(changes).length > 0)

/** @throws InvalidInput for a tag that is added and removed. The case of a tag can be changed that way. */
function requireDistinctTags(added: readonly string[] = [], removed: readonly string[] = []): void {
  const names = new Set(added.map(normalizeTag))
  const index = removed.findIndex((tag) => names.has(normalizeTag(tag)))
  if (index >= 0)
    throw new InvalidInput(
      `changes.remove_tags[${index}] must not be in add_tags: the tag ${shown(removed[index])} cannot be added and removed at once.`,
    )
}

/** @throws InvalidInput for too many tags */
function tagsAfter(
  { id, tags: before }: TaggedCompany,
  { tags = before, add_tags = [], remove_tags = [] }: Change['tags'],
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
 * The companies of a request, oldest first, which stay locked until the transaction ends.
 * @throws InvalidInput when one of the ids is not that of a company
 */
async function lockTarget(transaction: Db, target: Target): Promise<TaggedCompany[]> {
  const where = 'ids' in target ? sql`companies.id = any(${target.ids})` : all(target.conditions)
  // A company that another transaction has just changed is locked only if it still matches.
  const { rows } = await sql<TaggedCompany>`
    select companies.id, tags from companies
    where ${where} order by companies.id limit ${MAX_CHANGED_COMPANIES + 1} for no key update`.execute(
    transaction,
  )
  if (!('ids' in target)) return rows
  const known = new Set(rows.map(({ id }) => id))
  const unknown = target.ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw await unknownCompanies(transaction, 'ids must be ids of companies', unknown)
  return rows
}

/** The changeable fields of those companies that still exist, which stay locked until the transaction ends. */
async function lockCompanies(transaction: Db, ids: string[]): Promise<ChangeableCompany[]> {
  const { rows } = await sql<ChangeableCompany>`
    select id, thesis_id, status, industry_category, tags, owner_email, custom, ${utc('updated_at')} from companies
    where id = any(${ids}) order by id for no key update`.execute(transaction)
  return rows
}
