import { type RawBuilder, sql } from 'kysely'
import {
  type Action,
  type AtomicChangeDb,
  changeAtomically,
  recordAction,
} from '#src/features/activity/index.ts'
import { trashDealsOf } from '#src/features/deals/index.ts'
import { copyToTrash, unknownCompanies } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction, limitLockTime } from '#src/platform/database/short-transaction.ts'
import { all } from '#src/platform/database/sql.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import type { CompanyAttachment } from './attachment.ts'
import { MAX_CHANGED_COMPANIES } from './bulk-change/bulk-change-schema.ts'
import { readTargetIds, requireExpected, type Target, targetOf } from './bulk-change/targets.ts'
import { companyActivity } from './company-update.ts'
import type { DeletedCompanies } from './remove-schema.ts'

/** Deletes a company. @returns its id; undefined if it does not exist */
export const deleteCompany = (
  db: Db,
  action: Action,
  id: string,
  attachment: CompanyAttachment,
): Promise<string | undefined> =>
  inShortTransaction(
    db,
    async (transaction) => (await trashCompanies(transaction, action, [id], attachment))[0],
  )

/**
 * Deletes all of the companies, or none.
 * @throws InvalidInput for ids that do not exist, or are in the trash, and for a wrong filter; Conflict if there are not as
 *   many companies as expected
 */
export async function deleteCompanies(
  { attachment, ...batched }: Omit<AtomicChangeDb, 'longDb'> & { attachment: CompanyAttachment },
  action: Action,
  caller: FilterCaller,
  { expect, ...request }: DeletedCompanies,
): Promise<void> {
  const target = await targetOf(batched.db, caller, request, 'ids')
  let total = 0
  await changeAtomically({ ...batched, longDb: batched.db }, action, {
    most: MAX_CHANGED_COMPANIES,
    async find(transaction, rest) {
      await limitLockTime(transaction)
      if (rest) return rest
      const found = await readTargetIds(transaction, target, expect, MAX_CHANGED_COMPANIES)
      if ('ids' in target) await requireCompanies(transaction, found)
      total = found.length
      return found
    },
    async write(transaction, ids) {
      if (ids.length < total) return (await trashCompanies(transaction, action, ids, attachment)).length
      await deleteAtOnce(transaction, action, { target, ids, expect, attachment })
      return ids.length
    },
  })
}

interface Deletion {
  target: Target
  ids: string[]
  expect: number | undefined
  attachment: CompanyAttachment
}

/** Deletes all companies of a request in one transaction. */
async function deleteAtOnce(
  transaction: Db,
  action: Action,
  { target, ids, expect, attachment }: Deletion,
): Promise<void> {
  // A company that another transaction has just changed is deleted only if it still matches.
  const conditions = 'ids' in target ? [] : target.conditions
  const deleted = new Set(await trashCompanies(transaction, action, ids, attachment, conditions))
  if (!('ids' in target)) return requireExpected(deleted.size, expect, MAX_CHANGED_COMPANIES)
  await rejectMissing(transaction, ids, deleted)
}

/** @throws InvalidInput for ids that do not exist */
async function requireCompanies(db: Db, ids: string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from companies where id = any(${ids})`.execute(db)
  await rejectMissing(db, ids, new Set(rows.map(({ id }) => id)))
}

async function rejectMissing(db: Db, ids: string[], existing: ReadonlySet<string>): Promise<void> {
  const missing = ids.filter((id) => !existing.has(id))
  if (missing.length > 0) throw await unknownCompanies(db, 'ids must be ids of companies', missing)
}

/**
 * Moves companies with their deals, and with what is attached to them, to the trash.
 * @param conditions which of them, once they are locked
 * @returns the ids of those that exist
 */
export async function trashCompanies(
  transaction: Db,
  action: Action,
  ids: string[],
  attachment: CompanyAttachment,
  conditions: RawBuilder<unknown>[] = [],
): Promise<string[]> {
  await attachment.lock(transaction, ids)
  const { rows } = await sql<{ id: string }>`
    select id from companies where ${all([sql`companies.id = any(${ids})`, ...conditions])}
    order by id for update`.execute(transaction)
  const companies = rows.map(({ id }) => id)
  if (companies.length === 0) return companies
  await copyToTrash(transaction, action, 'companies', sql`id = any(${companies})`, {
    entity_type: 'company',
    name: sql`name`,
    company_id: sql`id`,
    attached: attachment.content,
  })
  const ofDeals = await trashDealsOf(transaction, action, companies)
  await attachment.records?.trash(transaction, action, companies)
  await attachment.remove(transaction, companies)
  await sql`delete from companies where id = any(${companies})`.execute(transaction)
  await recordAction(transaction, action, [
    ...companies.map((id) => companyActivity('company_deleted', id)),
    ...ofDeals,
  ])
  return companies
}
