import { sql } from 'kysely'
import { type Action, changeAllOrNone } from '#src/features/activity/index.ts'
import {
  MAX_CHANGED_COMPANIES,
  readTargetIds,
  requireExpected,
  type Target,
  targetOf,
} from '#src/features/companies/index.ts'
import { notInTrash, unknownCompanies } from '#src/features/trash/index.ts'
import type { BatchedDb } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import type { DeletedCompanies } from './delete-schema.ts'
import { restoreCompanies, restoreDeals, restoreThesis } from './restore-records.ts'
import { inShortTransaction, limitLockTime } from './transaction.ts'
import { trashCompanies, trashDeals, trashThesis } from './trash-records.ts'
import { revertUnfinished } from './unfinished.ts'

/** Deletes a company; undefined if it does not exist. */
export const deleteCompany = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inShortTransaction(db, async (transaction) => (await trashCompanies(transaction, action, [id]))[0])

/**
 * Deletes all of the companies, or none.
 * @throws InvalidInput for ids that do not exist, or are in the trash, and for a wrong filter; Conflict if there are not as
 *   many companies as expected
 */
export async function deleteCompanies(
  batched: BatchedDb,
  action: Action,
  caller: FilterCaller,
  { expect, ...request }: DeletedCompanies,
): Promise<void> {
  const target = await targetOf(batched.db, caller, request, 'ids')
  let total = 0
  const revert = (id: string) => revertUnfinished(batched, id)
  await changeAllOrNone({ ...batched, longDb: batched.db, revert }, action, {
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
      if (ids.length < total) return (await trashCompanies(transaction, action, ids)).length
      await deleteAtOnce(transaction, action, { target, ids, expect })
      return ids.length
    },
  })
}

/** Deletes all companies of a request in one transaction. */
async function deleteAtOnce(
  transaction: Db,
  action: Action,
  { target, ids, expect }: { target: Target; ids: string[]; expect: number | undefined },
): Promise<void> {
  // A company that another transaction has just changed is deleted only if it still matches.
  const conditions = 'ids' in target ? [] : target.conditions
  const deleted = new Set(await trashCompanies(transaction, action, ids, conditions))
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

/** Deletes a deal; undefined if it does not exist. */
export const deleteDeal = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inShortTransaction(db, async (transaction) => (await trashDeals(transaction, action, [id]))[0])

/**
 * Deletes a thesis; undefined if it does not exist.
 * @throws Conflict if too many companies have it
 */
export const deleteThesis = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inShortTransaction(db, async (transaction) =>
    (await trashThesis(transaction, action, id)) ? id : undefined,
  )

/**
 * Restores a record from the trash.
 * @returns the number of restored records
 * @throws NotFound if it is not there, Conflict if it cannot be restored
 */
export const restoreRecord = (db: Db, action: Action, id: string): Promise<number> =>
  inShortTransaction(db, async (transaction) => {
    const { restored, refused } = id.startsWith('th_')
      ? await restoreThesis(transaction, action, id)
      : id.startsWith('df_')
        ? await restoreDeals(transaction, action, [id])
        : await restoreCompanies(transaction, action, [id])
    if (refused[0]) throw new Conflict(refused[0].detail)
    if (restored.length === 0) throw await notInTrash(transaction, id)
    return restored.length
  })
