import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { applyPatch, companyUpdate, lockCompanies, updateCompanies } from '#src/features/companies/index.ts'
import { type BatchedDb, BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import { limitLockTime } from '#src/platform/database/short-transaction.ts'
import { Conflict } from '#src/platform/errors.ts'

/** Companies per transaction. */
const MAX_BATCH_SIZE = 1000

/**
 * Replaces a tag of all companies that have it, in batches of one action.
 * @param replacement the new tags; empty to remove the tag
 * @returns the number of companies that were changed
 * @throws Conflict if the action is undone while it runs
 */
export async function replaceTag(
  { db, maxBatchMs }: BatchedDb,
  action: Action,
  tag: string,
  replacement: readonly string[],
): Promise<number> {
  const size = new BatchSize(MAX_BATCH_SIZE, maxBatchMs)
  let updated = 0
  for (;;) {
    const batch = await db.transaction().execute((transaction) =>
      size.measure(
        () => replaceBatch(transaction, action, tag, replacement, size.records),
        ({ updated: records }) => records,
      ),
    )
    updated += batch.updated
    if (batch.found === 0) return updated
  }
}

async function replaceBatch(
  transaction: Db,
  action: Action,
  tag: string,
  replacement: readonly string[],
  limit: number,
) {
  await limitLockTime(transaction)
  const tagged = sql`select id from companies where tags <> '{}' and tags @> array[${tag}]::text[]
    order by id limit ${limit}`
  const companies = await lockCompanies(transaction, sql`companies.id in (${tagged})`)
  const updates = companies
    .map((before) => {
      const tags = before.tags.flatMap((own) => (own === tag ? replacement : [own]))
      return { before, ...applyPatch(before, { tags }) }
    })
    .filter(({ changed }) => changed.length > 0)
  if (updates.length === 0) return { found: companies.length, updated: 0 }
  await updateCompanies(updates.map(({ company }) => company)).execute(transaction)
  const undoneBy = await recordAction(
    transaction,
    action,
    updates.map(({ before, company, changed }) => companyUpdate(before, company, changed)),
  )
  if (undoneBy) throw new Conflict(`The change was undone by ${undoneBy} while it was running.`)
  return { found: companies.length, updated: updates.length }
}
