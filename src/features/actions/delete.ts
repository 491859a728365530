import { sql } from 'kysely'
import type { Action } from '#src/features/activity/store.ts'
import { findTrashed } from '#src/features/trash/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict, InvalidInput, InvalidReference, NotFound } from '#src/platform/errors.ts'
import { restoreCompanies, restoreDeals, restoreThesis } from './restore-records.ts'
import { trashCompanies, trashDeals, trashThesis } from './trash-records.ts'

/** An error lists at most this many ids. */
const MAX_LISTED_IDS = 3
/** Waiting for one locked record blocks everyone who needs those that are already locked. */
const LOCK_TIMEOUT = '5s'

const inTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
    return work(transaction)
  })

/** Deletes a company; undefined if it does not exist. */
export const deleteCompany = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inTransaction(db, async (transaction) => (await trashCompanies(transaction, action, [id]))[0])

/**
 * Deletes all of the companies, or none.
 * @throws InvalidInput for ids that do not exist, or are in the trash
 */
export const deleteCompanies = (db: Db, action: Action, ids: string[]): Promise<void> =>
  inTransaction(db, async (transaction) => {
    const distinctIds = [...new Set(ids)]
    const deleted = new Set(await trashCompanies(transaction, action, distinctIds))
    const missing = distinctIds.filter((id) => !deleted.has(id))
    if (missing.length === 0) return
    const listed = missing.slice(0, MAX_LISTED_IDS)
    const [trashed] = await findTrashed(transaction, listed)
    if (trashed) throw new InvalidInput(`ids must be ids of companies; ${trashed} is in the trash already.`)
    throw new InvalidReference('ids must be ids of companies', listed, 'POST /api/companies')
  })

/** Deletes a deal; undefined if it does not exist. */
export const deleteDeal = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inTransaction(db, async (transaction) => (await trashDeals(transaction, action, [id]))[0])

/**
 * Deletes a thesis; undefined if it does not exist.
 * @throws Conflict if too many companies have it
 */
export const deleteThesis = (db: Db, action: Action, id: string): Promise<string | undefined> =>
  inTransaction(db, async (transaction) => ((await trashThesis(transaction, action, id)) ? id : undefined))

/**
 * Restores a record from the trash.
 * @returns the number of restored records
 * @throws NotFound if it is not there, Conflict if it cannot be restored
 */
export const restoreRecord = (db: Db, action: Action, id: string): Promise<number> =>
  inTransaction(db, async (transaction) => {
    const { restored, refused } = id.startsWith('th_')
      ? await restoreThesis(transaction, action, id)
      : id.startsWith('df_')
        ? await restoreDeals(transaction, action, [id])
        : await restoreCompanies(transaction, action, [id])
    if (refused[0]) throw new Conflict(refused[0].detail)
    if (restored.length === 0) throw new NotFound(`Nothing with the id ${id.slice(0, 100)} is in the trash.`)
    return restored.length
  })
