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
}

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

async function foldCounter(db: Db, { name, columns, foldedTable }: Counter): Promise<number> {
  const counts = sql.id(`${name}_counts`)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<{ folded: number }>`
    with taken as (delete from ${sql.id(`${name}_count_deltas`)} returning *),
      summed as (
        insert into ${counts} as counts (${list}, n) select ${list}, sum(n) from taken group by ${list} having sum(n) <> 0
        on conflict (${list}) do update set n = counts.n + excluded.n)
    select count(*)::int as folded from taken`.execute(db)
  const folded = rows[0]?.folded ?? 0
  if (folded === 0) return folded
  await sql`delete from ${counts} where n = 0`.execute(db)
  if (foldedTable) await sql`update ${sql.table(foldedTable)} set folded = folded + ${folded}`.execute(db)
  return folded
}
