import { sql } from 'kysely'
import { tryLock } from './advisory-locks.ts'
import type { Db } from './database.ts'

const COUNTERS = [
  { name: 'company', columns: ['status', 'country_code', 'industry_category', 'thesis_id'] },
  { name: 'activity', columns: ['entity_type', 'user_email', 'activity_type'] },
]

/**
 * Adds the noted differences up into the counters. Readers see the same sums before and after. Of several
 * processes one does it and the others pass.
 */
export async function foldCounters(db: Db): Promise<void> {
  for (const { name, columns } of COUNTERS) {
    const deltas = sql.id(`${name}_count_deltas`)
    const folded = await db.transaction().execute(async (transaction) => {
      const isOurs = await tryLock(transaction, 'fold counters')
      return isOurs ? foldCounter(transaction, name, columns) : 0
    })
    // Emptied this often, the table would grow for minutes before autovacuum came by, and every read with it.
    if (folded > 0) await sql`vacuum ${deltas}`.execute(db)
  }
}

async function foldCounter(db: Db, name: string, columns: string[]): Promise<number> {
  const counts = sql.id(`${name}_counts`)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<{ folded: number }>`
    with taken as (delete from ${sql.id(`${name}_count_deltas`)} returning *),
      summed as (
        insert into ${counts} as counts (${list}, n) select ${list}, sum(n) from taken group by ${list} having sum(n) <> 0
        on conflict (${list}) do update set n = counts.n + excluded.n)
    select count(*)::int as folded from taken`.execute(db)
  const folded = rows[0]?.folded ?? 0
  if (folded > 0) await sql`delete from ${counts} where n = 0`.execute(db)
  if (name === 'company' && folded > 0)
    await sql`update company_changes set folded = folded + ${folded}`.execute(db)
  return folded
}
