import type { Action } from '#src/features/activity/index.ts'
import {
  type ImportedDeal,
  insertDeals,
  lockImportedDeals,
  newDeal,
  readImportedDeals,
  restoreDeals,
  writeDeals as storeChanges,
} from '#src/features/deals/index.ts'
import type { CustomFieldMap } from '#src/features/fields/index.ts'
import { keepTargets } from '#src/features/links/index.ts'
import { keepCompanies } from '#src/features/people/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { customValuesError } from '../batches.ts'
import type { OnExisting } from '../record-schema.ts'
import type { NewCompanies } from '../records/new-companies.ts'
import { requireNotUndone } from '../records/undone.ts'
import { type DealEffect, effectOf, type PlacedRow } from './apply-row.ts'
import { DealIndex } from './deal-index.ts'
import { type PlannedDeal, sourceEntries } from './plan-deals.ts'

export interface DealsWrite {
  action: Action
  importId: string
  onExisting: OnExisting
  companies: NewCompanies
  /** The deals that existed when the file was planned, and those that it creates. */
  known: ReadonlySet<string>
  /** The custom fields when the rows were read, and now. */
  fields: { previous: CustomFieldMap; current: CustomFieldMap }
}

/** What has been written. */
export interface WrittenDeals {
  effects: DealEffect[]
  rejected: { row: number; message: string }[]
  restored: number
}

const COMPANY_GONE = 'The company was deleted during the import.'
const CREATED_SINCE =
  'The deal was created by someone else during the import, and existing deals are skipped.'
const DEAL_GONE = 'The deal was deleted during the import, or its company is in the trash.'

/**
 * Writes planned deals as they are by now: others may have changed since the file was planned.
 * @throws Conflict if the import has been undone
 */
export async function writeDeals(
  transaction: Db,
  deals: readonly PlannedDeal[],
  write: DealsWrite,
): Promise<WrittenDeals> {
  const { action, importId, fields } = write
  const written: WrittenDeals = { effects: [], rejected: [], restored: 0 }
  const reject = ({ deal }: PlacedRow, message: string) => written.rejected.push({ row: deal.row, message })
  const companyOf = await existingCompanies(transaction, deals, write)
  const rows = deals.flatMap(({ effects }) => effects.map(({ row }) => row))
  const sources = await keepTargets(
    transaction,
    rows.flatMap(({ deal }) => sourceEntries(deal.source)),
  )
  for (const { deal } of rows)
    if (!sourceEntries(deal.source).every(({ id }) => sources.has(id))) deal.source = undefined
  const trashed = deals.filter(({ isRestored }) => isRestored).map(({ id }) => id)
  if (trashed.length > 0)
    written.restored = (await restoreDeals(transaction, action, trashed)).restored.length
  const before = await readPresent(transaction, deals, companyOf, write)
  const after = new Map<string, ImportedDeal>()
  const starts = new Map<string, ImportedDeal | undefined>()
  for (const planned of deals) {
    const start = before.get(planned)
    const company_id = start?.company_id ?? companyOf(planned.current.company_id)
    if (company_id === undefined || (!start && planned.before)) {
      const message = planned.before ? DEAL_GONE : COMPANY_GONE
      for (const { row } of planned.effects) reject(row, message)
      continue
    }
    if (start && !planned.before && write.onExisting === 'skip') {
      for (const { row } of planned.effects) reject(row, CREATED_SINCE)
      continue
    }
    const id = start?.id ?? planned.id
    if (!starts.has(id)) starts.set(id, start)
    let isNew = !start
    for (const { row } of planned.effects) {
      const error =
        fields.current === fields.previous || !row.deal.custom
          ? undefined
          : customValuesError(fields.current, row.deal.custom)
      if (error !== undefined) {
        reject(row, error)
        continue
      }
      const company = row.company && { ...row.company, id: companyOf(row.company.id) ?? row.company.id }
      const state = after.get(id) ?? start ?? newDeal(id, { company_id, import_key: null })
      const effect = effectOf({ ...row, company }, state, isNew, start ? write.onExisting : 'update')
      isNew = false
      after.set(id, effect.after)
      written.effects.push(effect)
    }
  }
  const created = [...after].flatMap(([id, deal]) => (starts.get(id) ? [] : [deal]))
  const changes = [...after].flatMap(([id, deal]) => {
    const start = starts.get(id)
    return start ? [{ before: start, after: deal }] : []
  })
  if (created.length > 0) await insertDeals(transaction, action, created, { import_id: importId })
  if (changes.length > 0) await storeChanges(transaction, action, changes)
  await requireNotUndone(transaction, action)
  return written
}

/** Creates the companies of new deals. @returns the present id of a planned company; undefined: it is gone */
async function existingCompanies(
  transaction: Db,
  deals: readonly PlannedDeal[],
  { action, importId, companies }: DealsWrite,
): Promise<(id: string) => string | undefined> {
  const ids = deals.filter(({ before }) => !before).map(({ current }) => current.company_id)
  const present = await companies.create(transaction, action, importId, ids)
  const existing = await keepCompanies(transaction, [...new Set(present.values())])
  return (planned) => {
    const id = present.get(planned)
    return id !== undefined && existing.has(id) ? id : undefined
  }
}

/** The existing deals of planned ones, locked: also those that were created since the file was planned. */
async function readPresent(
  transaction: Db,
  deals: readonly PlannedDeal[],
  companyOf: (id: string) => string | undefined,
  { known }: DealsWrite,
): Promise<Map<PlannedDeal, ImportedDeal>> {
  const created = deals.filter(({ before }) => !before)
  const companyIds = created.flatMap(({ current }) => companyOf(current.company_id) ?? [])
  const since = (await readImportedDeals(transaction, { ids: [], keys: [], companyIds })).filter(
    ({ id }) => !known.has(id),
  )
  const index = new DealIndex<{ current: ImportedDeal }>()
  for (const current of since) index.add({ current })
  const ids = new Map(deals.flatMap((planned) => (planned.before ? [[planned, planned.id] as const] : [])))
  for (const planned of since.length > 0 ? created : []) {
    const [effect] = planned.effects
    if (!effect) continue
    const { key, id, fields } = effect.row.deal
    const companyId = companyOf(planned.current.company_id)
    const found = index.find({ ...{ id, key, companyId }, round: fields.round, stage: fields.stage })
    if (!found) continue
    index.claim(found, key)
    ids.set(planned, found.current.id)
  }
  const locked = new Map(
    (await lockImportedDeals(transaction, [...ids.values()])).map((deal) => [deal.id, deal]),
  )
  return new Map(
    [...ids].flatMap(([planned, id]) => {
      const deal = locked.get(id)
      return deal ? [[planned, deal] as const] : []
    }),
  )
}
