import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { CannotOpen, type Keyring, keyIdOf, prefixOf } from './keyring.ts'

const BATCH = 100

/** A column of sealed secrets. Neither the table nor the columns may be renamed: the values are bound to their names. */
export interface SealedColumn {
  table: string
  /** The primary key of the table. */
  id: string
  column: string
  /** Secrets that earlier versions stored as plain text. */
  plain?: {
    count(db: Db): Promise<number>
    /** Seals some of them, in one transaction. Other processes may do so at the same time. @returns how many */
    sealSome(db: Db, keyring: Keyring, limit: number): Promise<number>
  }
}

/** Where a value is stored. It opens nowhere else. */
export const contextOf = ({ table, column }: SealedColumn, id: string): string => `${table}.${column}/${id}`

/**
 * Seals stored secrets with the current key: those in plain text, and those that need a previous one. Each batch is a
 * transaction, so any number of processes can do this, and be killed. Values that cannot be opened stay as they are.
 * @returns how many were sealed
 */
export async function sealStored(
  db: Db,
  keyring: Keyring,
  columns: readonly SealedColumn[],
  stopped?: AbortSignal,
): Promise<number> {
  let total = 0
  for (const column of columns) {
    for (let sealed = BATCH; sealed === BATCH && !stopped?.aborted; total += sealed)
      sealed = (await column.plain?.sealSome(db, keyring, BATCH)) ?? 0
    for (let after: string | undefined = ''; after !== undefined && !stopped?.aborted; ) {
      const batch = await resealSome(db, keyring, column, after)
      total += batch.sealed
      after = batch.last
    }
  }
  return total
}

/** @returns the last id of the batch; undefined after the last batch */
async function resealSome(
  db: Db,
  keyring: Keyring,
  column: SealedColumn,
  after: string,
): Promise<{ sealed: number; last: string | undefined }> {
  const [table, id, value] = [sql.table(column.table), sql.ref(column.id), sql.ref(column.column)]
  if (keyring.previousIds.length === 0) return { sealed: 0, last: undefined }
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string; value: string }>`
      select ${id} as id, ${value} as value from ${table} where ${id} > ${after} and ${begins(value, keyring.previousIds)}
      order by ${id} limit ${sql.lit(BATCH)} for update skip locked`.execute(transaction)
    let sealed = 0
    for (const row of rows) {
      const context = contextOf(column, row.id)
      const secret = await keyring.open(row.value, context).catch(nullIfClosed)
      if (secret === null) continue
      await sql`
        update ${table} set ${value} = ${await keyring.seal(secret, context)} where ${id} = ${row.id}`.execute(
        transaction,
      )
      sealed += 1
    }
    return { sealed, last: rows.at(-1)?.id }
  })
}

/** Whether a value was sealed by one of the keys. */
const begins = (value: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select from unnest(${ids.map(prefixOf)}::text[]) prefix where starts_with(${value}, prefix))`

const nullIfClosed = (error: unknown): null => {
  if (!(error instanceof CannotOpen)) throw error
  return null
}

/** How many stored secrets need which key. */
export interface SecretsStatus {
  /** Sealed with the current key. */
  current: number
  /** Sealed with previous keys that are set. */
  previous: number
  /** Not sealed yet. */
  plain: number
  /** Sealed with keys that are not set, by the id of the key. */
  missing: ReadonlyMap<string, number>
}

/** Counts stored secrets by the key that they need. */
export async function readSecretsStatus(
  db: Db,
  keyring: Keyring,
  columns: readonly SealedColumn[],
): Promise<SecretsStatus> {
  const status = { current: 0, previous: 0, plain: 0 }
  const missing = new Map<string, number>()
  for (const { table, column, plain } of columns) {
    status.plain += (await plain?.count(db)) ?? 0
    const value = sql.ref(column)
    const { rows } = await sql<{ header: string; count: number }>`
      select split_part(${value}, '.', 1) as header, count(*)::int as count from ${sql.table(table)}
      where ${value} is not null group by 1`.execute(db)
    for (const { header, count } of rows) {
      // A header alone can be read as one of a sealed value.
      const id = keyIdOf(`${header}....`) ?? 'unknown'
      if (id === keyring.currentId) status.current += count
      else if (keyring.previousIds.includes(id)) status.previous += count
      else missing.set(id, (missing.get(id) ?? 0) + count)
    }
  }
  return { ...status, missing }
}
