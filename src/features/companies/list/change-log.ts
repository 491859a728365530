import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import * as transactions from '#src/platform/database/transaction-log.ts'

/** The log keeps at least this many changes. After more, a cached list is collected again. */
export const CHANGE_LOG_LENGTH = 5000

const CHANGE_LOG: transactions.TransactionLog = {
  table: 'company_change_log',
  length: CHANGE_LOG_LENGTH,
  marker: (xid) => sql`insert into company_change_log select ${xid}, ''`,
}

/** The ids of companies that have changed since a snapshot. An id may be repeated, or may not have changed. */
export const changedSince = (previous: string) =>
  sql`select id from company_change_log where ${transactions.isSince(previous)} and id <> ''`

/** Whether the log still has all changes since a snapshot. */
export const isLogged = (previous: string) => transactions.isLogged(CHANGE_LOG, previous)

/** Removes changes that no cached list needs. */
export const trimChangeLog = (db: Db): Promise<void> => transactions.trimLog(db, CHANGE_LOG)
