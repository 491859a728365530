import { type ImportedDeal, readTrashedDeals } from '#src/features/deals/index.ts'
import { keepTargets } from '#src/features/links/index.ts'
import { findTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { PlacedRow } from './apply-row.ts'

/** A deal in the trash. */
export interface DeletedDeal {
  deal: ImportedDeal
  /** Whether its company is in the trash too, so that it cannot be restored. */
  isCompanyGone: boolean
}

/** Finds the deleted deal that a row is about: by its id, or by what an earlier import recognized it by. */
export async function findDeleted(
  db: Db,
  rows: readonly PlacedRow[],
): Promise<(row: PlacedRow) => DeletedDeal | undefined> {
  const trashed = await readTrashedDeals(db, {
    ids: [...new Set(rows.flatMap(({ deal }) => deal.id ?? []))],
    keys: [...new Set(rows.map(({ deal }) => deal.key.text))],
  })
  const isGone = await findGoneCompanies(db, [...new Set(trashed.map(({ company_id }) => company_id))])
  const deleted = trashed.map((deal) => ({ deal, isCompanyGone: isGone(deal.company_id) }))
  const byId = new Map(deleted.map((one) => [one.deal.id, one]))
  const byKey = Map.groupBy(deleted, ({ deal }) => deal.import_key)
  return ({ deal: { id, key }, company }) =>
    id === undefined
      ? byKey.get(key.text)?.find(({ deal }) => key.isUnique || deal.company_id === company?.id)
      : byId.get(id)
}

/** Which of the companies are in the trash. The deals of a merged company come back to the survivor. */
async function findGoneCompanies(db: Db, ids: readonly string[]): Promise<(id: string) => boolean> {
  const existing = await keepTargets(
    db,
    ids.map((id) => ({ type: 'company', id })),
  )
  const missing = ids.filter((id) => !existing.has(id))
  const trashed = await findTrashed(db, missing)
  return (id) => !existing.has(id) && !trashed.get(id)?.survivor
}
