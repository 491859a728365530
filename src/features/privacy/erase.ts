import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { eraseFromAudit, NO_REQUEST, recordAudit } from '#src/features/audit/index.ts'
import { lockDefinitions } from '#src/features/fields/index.ts'
import { removeFollowsBy } from '#src/features/follows/index.ts'
import { clearKeysOf } from '#src/features/keys/index.ts'
import { removeNotificationsOf } from '#src/features/notifications/index.ts'
import { clearSessionsOf } from '#src/features/sessions/index.ts'
import { type AdminSettings, clearProfile, deleteDuplicate } from '#src/features/users/index.ts'
import { type Counter, foldCounters } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'
import { contentionRetries } from '#src/platform/database/errors.ts'
import { Conflict } from '#src/platform/errors.ts'
import { lockOut } from './lock-out.ts'
import { AddressPattern, inBlocks, type TextTable, tableOf, textTables } from './stored-text.ts'

/** A transaction changes rows in this many blocks, which are 8 KB each. */
const BLOCKS_PER_TRANSACTION = 1000
const MAX_PASSES = 10
const MAX_ATTEMPTS = 5
const RETRY_INTERVAL_MS = 200

/** What an erasure changed. */
export interface Erasure {
  pseudonym: string
  /** The number of changed rows by table. */
  changed: Record<string, number>
}

/**
 * Locks a person out, replaces their email address with a pseudonym in all texts of the database, and clears their
 * profile. An erasure that was interrupted continues with the same pseudonym when it is called again.
 * @param email in lower case
 * @param counters are counted again instead of being changed
 * @returns undefined if no table contains the address
 * @throws Conflict for the last admin, and if other processes keep writing the address
 */
export async function eraseUser(
  db: Db,
  counters: readonly Counter[],
  email: string,
  settings: AdminSettings,
): Promise<Erasure | undefined> {
  const { pseudonym, isResumed } = await lockOut(db, email, settings)
  const pattern = new AddressPattern(email)
  const tables = await erasableTables(db, counters)
  const changed: Record<string, number> = {}
  for (let pass = 0; ; pass++) {
    if (pass === MAX_PASSES) throw new Conflict(`${email} is still being written. Try again.`)
    await deleteDuplicate(db, email, pseudonym)
    await removeFollowsBy(db, email)
    await removeNotificationsOf(db, email)
    const count = await erasePass(db, tables, pattern, pseudonym, changed)
    // Rows that the service wrote or moved during the pass are found by the next one.
    if (count === 0) break
  }
  // Running services have the labels and keys in memory.
  if (changed.fields) await lockDefinitions(db)
  await clearProfile(db, pseudonym)
  await clearSessionsOf(db, pseudonym)
  await clearKeysOf(db, pseudonym)
  await recount(db, counters, pattern)
  return db.transaction().execute(async (transaction) => {
    const audit_entries = await eraseFromAudit(transaction, pattern, pseudonym)
    if (audit_entries > 0) changed.audit_entries = audit_entries
    if (Object.keys(changed).length === 0 && !isResumed) return void (await forget(transaction, pseudonym))
    await finishErasure(transaction, pseudonym, audit_entries)
    return { pseudonym, changed }
  })
}

const counterTables = (counters: readonly Counter[]) =>
  counters.flatMap(({ name }) => [`${name}_counts`, `${name}_count_deltas`])

async function erasableTables(db: Db, counters: readonly Counter[]): Promise<TextTable[]> {
  const others = ['audit_entries', 'erasures', ...counterTables(counters)]
  return (await textTables(db)).filter(({ name }) => !others.includes(name))
}

/** Goes through all tables once, and adds the numbers of changed rows to `changed`. Returns their sum. */
async function erasePass(
  db: Db,
  tables: TextTable[],
  pattern: AddressPattern,
  pseudonym: string,
  changed: Record<string, number>,
): Promise<number> {
  let count = 0
  for (const table of tables)
    for (let first = 0; first <= table.blocks; first += BLOCKS_PER_TRANSACTION) {
      const rows = await contentionRetries.execute(() => eraseBlocks(db, table, first, pattern, pseudonym))
      if (rows > 0) changed[table.name] = (changed[table.name] ?? 0) + rows
      count += rows
    }
  return count
}

async function eraseBlocks(
  db: Db,
  table: TextTable,
  first: number,
  pattern: AddressPattern,
  pseudonym: string,
): Promise<number> {
  const isLast = first + BLOCKS_PER_TRANSACTION > table.blocks
  // The table may have grown since its size was read.
  const end = isLast ? MAX_BLOCK : first + BLOCKS_PER_TRANSACTION
  const assignments = table.columns
    .filter(({ isText }) => isText)
    .map((column) => sql`${sql.id(column.name)} = ${pattern.replacedIn(column, pseudonym)}`)
  const { numAffectedRows = 0n } = await sql`
    update ${tableOf(table)} set ${sql.join(assignments)}
    where ${inBlocks(first, end)} and ${pattern.isInRow(table)}`.execute(db)
  return Number(numAffectedRows)
}

const MAX_BLOCK = 4_294_967_294

/** Folds the counters until none counts rows of the address. A running service may be folding them too. */
async function recount(db: Db, counters: readonly Counter[], pattern: AddressPattern): Promise<void> {
  const names = counterTables(counters)
  const tables = (await textTables(db)).filter(({ name }) => names.includes(name))
  for (let attempt = 1; ; attempt++) {
    await foldCounters(db, counters)
    const found = await Promise.all(
      tables.map(async (table) => {
        const { rows } =
          await sql`select from ${tableOf(table)} where ${pattern.isInRow(table)} limit 1`.execute(db)
        return rows.length > 0
      }),
    )
    if (!found.includes(true)) return
    if (attempt === MAX_ATTEMPTS)
      throw new Conflict('The counters are still being changed. Try again in a moment.')
    await sleep(RETRY_INTERVAL_MS)
  }
}

async function forget(transaction: Db, pseudonym: string): Promise<void> {
  await sql`delete from erasures where pseudonym = ${pseudonym}`.execute(transaction)
}

/** Forgets the address and records the erasure, with the number of audit entries that it changed. */
async function finishErasure(transaction: Db, pseudonym: string, audit_entries: number): Promise<void> {
  await sql`
    update erasures set email = null, finished_at = now() where pseudonym = ${pseudonym}`.execute(transaction)
  await recordAudit(transaction, NO_REQUEST, { event: 'user_erased', details: { pseudonym, audit_entries } })
}
