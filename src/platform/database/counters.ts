import { sql } from 'kysely'
import { tryLock } from './advisory-locks.ts'
import type { Db } from './database.ts'

/**
 * Row counts maintained by triggers. `<name>_counts` has one count per combination of column values;
 * `<name>_count_deltas` has the changes since the last fold.
 */
export interface Counter {
  name: string
  columns: readonly string[]
  /** A single-row table whose column `folded` is the number of deltas ever folded. */
  foldedTable?: string
  /**
   * A table that receives the column `ids` of the deltas. A row's `position` is the value of `folded` after its fold.
   * It keeps the last CHANGE_LOG_LENGTH positions.
   */
  changeLog?: string
}

export const CHANGE_LOG_LENGTH = 20_000

/**
 * Folds the deltas into the counts. Readers see the same sums before and after. If several processes call it, one
 * does the work and the others return.
 */
export async function foldCounters(db: Db, counters: readonly Counter[]): Promise<void> {
  for (const counter of counters) {
    const folded = await db.transaction().execute(async (transaction) => {
      const isOurs = await tryLock(transaction, 'fold counters')
      return isOurs ? foldCounter(transaction, counter) : 0
    })
    // The table is emptied so often that it would bloat, and slow every read, before autovacuum runs.
    if (folded > 0) await sql`vacuum ${sql.id(`${counter.name}_count_deltas`)}`.execute(db)
  }
}

async function foldCounter(db: Db, { name, columns, foldedTable, changeLog }: Counter): Promise<number> {
  const counts = sql.id(`${name}_counts`)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const logged =
    foldedTable && changeLog
      ? sql`logged as (insert into ${sql.table(changeLog)} (position, ids)
          select (select folded from ${sql.table(foldedTable)}) + (select count(*) from taken), ids from taken),`
      : sql``
  const { rows } = await sql<{ folded: number }>`
    with taken as (delete from ${sql.id(`${name}_count_deltas`)} returning *), ${logged}
      summed as (
        insert into ${counts} as counts (${list}, n) select ${list}, sum(n) from taken group by ${list} having sum(n) <> 0
        on conflict (${list}) do update set n = counts.n + excluded.n)
    select count(*)::int as folded from taken`.execute(db)
  const folded = rows[0]?.folded ?? 0
  if (folded === 0) return folded
  await sql`delete from ${counts} where n = 0`.execute(db)
  if (foldedTable) await sql`update ${sql.table(foldedTable)} set folded = folded + ${folded}`.execute(db)
  if (foldedTable && changeLog)
    await sql`delete from ${sql.table(changeLog)}
      where position <= (select folded from ${sql.table(foldedTable)}) - ${sql.lit(CHANGE_LOG_LENGTH)}`.execute(
      db,
    )
  return folded
}
