import { type RawBuilder, sql } from 'kysely'
import { PERMISSIONS } from '#src/platform/http/security/permissions.ts'
import type { Db } from './database.ts'

const LIMIT = PERMISSIONS.export.beyond.records + 1

/**
 * How many rows an export has, counted only as far as the limit that needs another permission.
 * @param rows `from` and `where` of the query
 */
export async function countExported(db: Db, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from (select ${rows} limit ${LIMIT}) matching`.execute(db)
  return counted[0]?.count ?? 0
}
