import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { takeLock, tryLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { compareCompanies } from './compare.ts'
import { RULES } from './identity.ts'

/** Small, because other requests wait for the embedded database's only connection. */
const BATCH_SIZE = 50
const SCAN_BATCH_SIZE = 1000

export interface ScanResult {
  companies: number
  /** The pairs that nobody has dismissed. */
  duplicates: number
}

/** Compares all companies with each other. A scan that was interrupted starts over. */
export async function scanDuplicates(db: Db): Promise<ScanResult> {
  await sql`delete from duplicate_scan`.execute(db)
  const inTransaction = (compare: typeof compareNext) =>
    db.transaction().execute(async (transaction) => {
      await takeLock(transaction, 'find duplicates')
      return compare(transaction, SCAN_BATCH_SIZE)
    })
  while ((await inTransaction(compareNext)) > 0);
  while ((await inTransaction(compareChanged)) === SCAN_BATCH_SIZE);
  const { rows } = await sql<ScanResult>`
    select (select count(*)::float8 from companies) as companies,
      (select count(*)::float8 from duplicates where dismissed_at is null) as duplicates`.execute(db)
  return rows[0] as ScanResult
}

/**
 * Compares the companies that have changed, and all companies after an upgrade. Pauses three times as long as each batch
 * takes, to leave time for other work.
 */
export async function findDuplicates(db: Db, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const start = performance.now()
    if ((await compareNextBatch(db)) === 0) return
    await sleep(3 * (performance.now() - start), undefined, { signal: stopped }).catch(() => {})
  }
}

/** Returns the size of the batch; 0 if none is left or another process is comparing. */
async function compareNextBatch(db: Db): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    if (!(await tryLock(transaction, 'find duplicates'))) return 0
    return (await compareChanged(transaction, BATCH_SIZE)) || compareNext(transaction, BATCH_SIZE)
  })
}

/** Compares changed companies. */
async function compareChanged(transaction: Db, size: number): Promise<number> {
  const { rows } = await sql<Change>`
    select company_id as id, change::text as number from companies_to_compare order by company_id limit ${size}`.execute(
    transaction,
  )
  await compareCompanies(
    transaction,
    rows.map(({ id }) => id),
  )
  await removeChanges(transaction, rows)
  return rows.length
}

/** Continues the scan of all companies, if one is due. */
async function compareNext(transaction: Db, size: number): Promise<number> {
  const { rows: scans } = await sql<Scan>`
    select last_id, finished_at is not null as "isFinished" from duplicate_scan where rules = ${RULES}`.execute(
    transaction,
  )
  const scan = scans[0] ?? (await startScan(transaction))
  if (scan.isFinished) return 0
  const { rows } = await sql<{ id: string; number: string | null }>`
    select id, change::text as number
    from (select id from companies where id > ${scan.last_id} collate "C" order by id limit ${size}) next
    left join companies_to_compare on company_id = id order by id`.execute(transaction)
  const ids = rows.map(({ id }) => id)
  await compareCompanies(transaction, ids)
  await removeChanges(
    transaction,
    rows.flatMap(({ id, number }) => (number === null ? [] : [{ id, number }])),
  )
  await sql`
    update duplicate_scan set last_id = ${ids.at(-1) ?? scan.last_id},
      finished_at = case when ${ids.length < size} then now() end`.execute(transaction)
  return ids.length
}

interface Scan {
  last_id: string
  isFinished: boolean
}

async function startScan(transaction: Db): Promise<Scan> {
  await sql`delete from duplicate_scan`.execute(transaction)
  await sql`insert into duplicate_scan (rules, last_id) values (${RULES}, '')`.execute(transaction)
  return { last_id: '', isFinished: false }
}

interface Change {
  id: string
  /** Each further change of the company has a higher one. */
  number: string
}

/** Keeps companies that have changed again, and those that are locked by a change. */
async function removeChanges(transaction: Db, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    with unchanged as materialized (
      select company_id from companies_to_compare join
        ${rowsFrom('done', { id: 'text', number: 'bigint' }, changes)} on company_id = id and change = number
      for update of companies_to_compare skip locked)
    delete from companies_to_compare using unchanged
    where companies_to_compare.company_id = unchanged.company_id`.execute(transaction)
}
