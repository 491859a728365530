import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Known, PendingRow } from './plan.ts'

/** The companies in the trash that rows match, by row. A company outside of the trash with the same key comes first. */
export async function findTrashedCompanies(
  db: Db,
  rows: PendingRow[],
  { byId, byKey }: Known,
): Promise<Map<PendingRow, string>> {
  const candidates = rows.filter(({ id, key }) => !(id && byId.has(id)) && (id || !byKey.has(key)))
  if (candidates.length === 0) return new Map()
  const keys = candidates.map(({ key }) => key)
  const ids = candidates.flatMap(({ id }) => id ?? [])
  const { rows: entries } = await sql<{ id: string; match_key: string }>`
    select id, match_key from trash
    where entity_type = 'company' and not purging and (match_key = any(${keys}) or id = any(${ids}))
    order by id desc`.execute(db)
  const trashedIds = new Set(entries.map(({ id }) => id))
  const trashedKeys = new Map(entries.map(({ id, match_key }) => [match_key, id]))
  return new Map(
    candidates.flatMap((row) => {
      const { id, key } = row
      const found = id && trashedIds.has(id) ? id : byKey.has(key) ? undefined : trashedKeys.get(key)
      return found ? [[row, found] as const] : []
    }),
  )
}
