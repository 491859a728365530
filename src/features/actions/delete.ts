import type { Action } from '#src/features/activity/store.ts'
import { MAX_CHANGED_COMPANIES } from '#src/features/companies/bulk-change-schema.ts'
import { readTargetIds, requireExpected, targetOf } from '#src/features/companies/store.ts'
import { notInTrash, unknownCompanies } from '#src/features/trash/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import type { DeletedCompanies } from './delete-schema.ts'
import { restoreCompanies, restoreDeals, restoreThesis } from './restore-records.ts'
import { inShortTransaction } from './transaction.ts'
import { trashCompanies, trashDeals, trashThesis } from './trash-records.ts'

/** Deletes a company; undefined if it does not exist. */
export const deleteCompany = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inShortTransaction(db, async (transaction) => (await trashCompanies(transaction, action, [id]))[0])

/**
 * Deletes all of the companies, or none.
 * @throws InvalidInput for ids that do not exist, or are in the trash, and for a wrong filter; Conflict if there are not as
 *   many companies as expected
 */
export async function deleteCompanies(
  db: Db,
  action: Action,
  { expect, ...request }: DeletedCompanies,
): Promise<void> {
  const target = await targetOf(db, action.user, request, 'ids')
  await inShortTransaction(db, async (transaction) => {
    const ids = await readTargetIds(transaction, target, expect, MAX_CHANGED_COMPANIES)
    // A company that another transaction has just changed is deleted only if it still matches.
    const conditions = 'ids' in target ? [] : target.conditions
    const deleted = new Set(await trashCompanies(transaction, action, ids, conditions))
    if (!('ids' in target)) return requireExpected(deleted.size, expect, MAX_CHANGED_COMPANIES)
    const missing = ids.filter((id) => !deleted.has(id))
    if (missing.length > 0) throw await unknownCompanies(transaction, 'ids must be ids of companies', missing)
  })
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
