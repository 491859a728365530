import { sql } from 'kysely'
import { type Action, lockAction, recordAction } from '#src/features/activity/index.ts'
import {
  applyPatch,
  companyUpdate,
  lockCompanies,
  normalizeTags,
  updateCompanies,
} from '#src/features/companies/index.ts'
import { lockPeople, writeChanges } from '#src/features/people/index.ts'
import { type BatchedDb, BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import { limitLockTime } from '#src/platform/database/short-transaction.ts'
import { Conflict } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import { isTagged } from './store.ts'

/** Companies or people per transaction. */
const MAX_BATCH_SIZE = 1000

/** What becomes of the tags of a record. */
type Replace = (tags: readonly string[]) => string[]

/** Changes the tags of some records that have a tag. */
type ReplaceBatch = (
  transaction: Db,
  action: Action,
  batch: { tag: string; replace: Replace; limit: number },
) => Promise<{ found: number; updated: number }>

/**
 * Replaces a tag of all companies and people that have it, in batches of one action.
 * @param replacement the new tags; empty to remove the tag
 * @returns the number of records that were changed
 * @throws Conflict if the action is undone while it runs
 */
export async function replaceTag(
  { db, maxBatchMs }: BatchedDb,
  action: Action,
  tag: string,
  replacement: readonly string[],
): Promise<number> {
  const replace: Replace = (tags) => tags.flatMap((own) => (own === tag ? replacement : [own]))
  let total = 0
  for (const replaceBatch of [replaceOfCompanies, replaceOfPeople]) {
    const size = new BatchSize(MAX_BATCH_SIZE, maxBatchMs)
    let found: number
    do {
      const batch = await db.transaction().execute(async (transaction) => {
        await limitLockTime(transaction)
        const replaced = await size.measure(
          () => replaceBatch(transaction, action, { tag, replace, limit: size.records }),
          ({ updated }) => updated,
        )
        if (replaced.updated > 0) await requireInEffect(transaction, action)
        return replaced
      })
      found = batch.found
      total += batch.updated
    } while (found > 0)
  }
  return total
}

/** @throws Conflict if the action has been undone */
async function requireInEffect(transaction: Db, { id }: Action): Promise<void> {
  const { undone_by } = (await lockAction(transaction, id)) ?? {}
  if (undone_by) throw new Conflict(`The change was undone by ${undone_by} while it was running.`)
}

const replaceOfCompanies: ReplaceBatch = async (transaction, action, { tag, replace, limit }) => {
  const tagged = sql`select id from companies where ${isTagged(tag)} order by id limit ${limit}`
  const companies = await lockCompanies(transaction, sql`companies.id in (${tagged})`)
  const updates = companies
    .map((before) => ({ before, ...applyPatch(before, { tags: replace(before.tags) }) }))
    .filter(({ changed }) => changed.length > 0)
  if (updates.length === 0) return { found: companies.length, updated: 0 }
  await updateCompanies(updates.map(({ company }) => company)).execute(transaction)
  await recordAction(
    transaction,
    action,
    updates.map(({ before, company, changed }) => companyUpdate(before, company, changed)),
  )
  return { found: companies.length, updated: updates.length }
}

const replaceOfPeople: ReplaceBatch = async (transaction, action, { tag, replace, limit }) => {
  const { rows } = await sql<{ id: string }>`
    select id from people where ${isTagged(tag)} order by id limit ${limit}`.execute(transaction)
  // One that another transaction has just changed may have lost the tag.
  const people = await lockPeople(transaction, idsOf(rows))
  const changes = people.map((before) => ({ before, fields: { tags: normalizeTags(replace(before.tags)) } }))
  const updated = await writeChanges(transaction, action, changes)
  return { found: rows.length, updated: updated.length }
}
