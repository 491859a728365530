import type { RawBuilder } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'

/** Rows of another slice that go to the trash with companies and come back with them. `app.ts` and higher slices pass it. */
export interface CompanyAttachment {
  /** Locks what the rows belong to, before the companies are locked. */
  lock(transaction: Db, company_ids: string[]): Promise<void>
  /** What the trash keeps of the rows of the company `record`, as SQL of JSON fields: `'key', value, …`. */
  content: RawBuilder<unknown>
  /** Deletes the rows. */
  remove(transaction: Db, company_ids: string[]): Promise<unknown>
  /** Restores the rows from the trash. */
  restore(transaction: Db, company_ids: string[]): Promise<void>
  /** Records of another slice that go to the trash with companies, each with an entry of its own. */
  records?: {
    /** Moves the records of locked companies to the trash, and records it. */
    trash(transaction: Db, action: Action, company_ids: string[]): Promise<void>
    /** Brings back those that went with the companies, and records it. Returns their ids. */
    restore(transaction: Db, action: Action, company_ids: string[]): Promise<string[]>
  }
}
