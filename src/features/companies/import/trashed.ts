import { sql } from 'kysely'
import { isMerged } from '#src/features/trash/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Known, PendingRow } from './plan.ts'

/** Rows that match no company by id or, without an id, by key. */
const unmatched = (rows: PendingRow[], { byId, byKey }: Known): PendingRow[] =>
  rows.filter(({ id, key }) => !(id && byId.has(id)) && (id || !byKey.has(key)))

/** The rows, with the survivor's id in those that match a merged company. */
export async function followMerged(db: Db, rows: PendingRow[], known: Known): Promise<PendingRow[]> {
  const candidates = unmatched(rows, known)
  if (candidates.length === 0) return rows
  const keys = candidates.map(({ key }) => key)
  const ids = candidates.flatMap(({ id }) => id ?? [])
  const { rows: entries } = await sql<{ id: string; match_key: string; survivor: string }>`
    select id, match_key, company_id as survivor from trash
    where ${isMerged} and not purging and (match_key = any(${keys}) or id = any(${ids})) order by id desc`.execute(
    db,
  )
  if (entries.length === 0) return rows
  const byMergedId = new Map(entries.map(({ id, survivor }) => [id, survivor]))
  const byMergedKey = new Map(entries.map(({ match_key, survivor }) => [match_key, survivor]))
  const isCandidate = new Set(candidates)
  return rows.map((row) => {
    if (!isCandidate.has(row)) return row
    const key = known.byKey.has(row.key) ? undefined : byMergedKey.get(row.key)
    const survivor = (row.id && byMergedId.get(row.id)) ?? key
    return survivor ? { ...row, id: survivor } : row
  })
}

/** The companies in the trash that rows match, by row. A company outside of the trash with the same key comes first. */
export async function findTrashedCompanies(
  db: Db,
  rows: PendingRow[],
  known: Known,
): Promise<Map<PendingRow, string>> {
  const candidates = unmatched(rows, known)
  if (candidates.length === 0) return new Map()
  const keys = candidates.map(({ key }) => key)
  const ids = candidates.flatMap(({ id }) => id ?? [])
  const { rows: entries } = await sql<{ id: string; match_key: string }>`
    select id, match_key from trash
    where entity_type = 'company' and not ${isMerged} and not purging and (match_key = any(${keys}) or id = any(${ids}))
    order by id desc`.execute(db)
  const trashedIds = new Set(entries.map(({ id }) => id))
  const trashedKeys = new Map(entries.map(({ id, match_key }) => [match_key, id]))
  return new Map(
    candidates.flatMap((row) => {
      const { id, key } = row
      const found = id && trashedIds.has(id) ? id : known.byKey.has(key) ? undefined : trashedKeys.get(key)
      return found ? [[row, found] as const] : []
    }),
  )
}
