import { type ImportedDeal, newDeal, readImportedDeals, readTrashedDeals } from '#src/features/deals/index.ts'
import { type CustomFieldMap, missingField, requiredError } from '#src/features/fields/index.ts'
import { keepTargets } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { newId } from '#src/platform/ids.ts'
import type { OnExisting } from '../record-schema.ts'
import { type CompanyMention, CompanyMentions, explainUnknown } from '../records/company-mentions.ts'
import { type CellError, type CellMessages, cellError } from '../rows/field-cells.ts'
import { type DealEffect, effectOf, type PlacedRow } from './apply-row.ts'
import { DealIndex } from './deal-index.ts'
import type { DealRow } from './deal-reader.ts'

/** A deal that rows of the file are about. */
export interface PlannedDeal {
  id: string
  /** The existing deal; undefined: it is created. */
  before: ImportedDeal | undefined
  /** Whether it comes back from the trash. */
  isRestored: boolean
  current: ImportedDeal
  effects: DealEffect[]
}

export interface DealChoices {
  createCompanies: boolean
  onExisting: OnExisting
  onTrashed: 'skip' | 'restore'
}

/** The rows that are not imported. */
export interface DealPlanReport {
  fail(row: DealRow, errors: readonly CellError[]): void
  trash(row: DealRow): void
  skip(row: DealRow): void
  /** Whether a row with these errors is imported nevertheless. */
  accepts(row: DealRow, errors: CellMessages['errors']): boolean
}

const ROWS_PER_TURN = 1000
const NO_SOURCE = 'No record has this id. Who brought the deal was left out.'
const NO_COMPANY = 'company is required.'

/** Plans which deals the rows of a file are, and what they change, without writing anything. */
export class DealsPlan {
  readonly mentions = new CompanyMentions()
  readonly deals = new Set<PlannedDeal>()
  /** The deals that existed when the file was planned. */
  readonly known = new Set<string>()
  readonly #choices: DealChoices
  readonly #rows: { deal: DealRow; mention: CompanyMention | undefined }[] = []

  constructor(choices: DealChoices) {
    this.#choices = choices
  }

  /** Takes a row. */
  add(deal: DealRow): void {
    const { company, row } = deal
    this.#rows.push({ deal, mention: company && this.mentions.add(company, row) })
  }

  /** Decides about all rows, in the order of the file: each sees what those before it have become. */
  async make(db: Db, fields: CustomFieldMap, report: DealPlanReport): Promise<void> {
    await this.mentions.resolve(db, this.#choices.createCompanies)
    const rows = this.#rows.map(({ deal, mention }) => ({ deal, mention, company: mention?.company }))
    await leaveOutSources(
      db,
      rows.map(({ deal }) => deal),
    )
    const index = await this.#readIndex(db, rows)
    const trashed = await findDeleted(db, rows)
    for (const [position, { deal, mention, company }] of rows.entries()) {
      if (position % ROWS_PER_TURN === 0) await yieldToEventLoop()
      const { id, key, fields: values } = deal
      const { round, stage } = values
      const known = index.find({ ...{ id, key, round, stage }, companyId: company?.id })
      const deleted = known ? undefined : trashed({ deal, company })
      if (deleted && this.#choices.onTrashed === 'skip') report.trash(deal)
      else if (known?.before && this.#choices.onExisting === 'skip') report.skip(deal)
      else if (!known && !deleted && !company) report.fail(deal, [companyError(deal, mention)])
      else {
        const target = known ?? newTarget(deal, company?.id ?? '', deleted)
        const isNew = !target.before && target.effects.length === 0
        const mode = target.before ? this.#choices.onExisting : 'update'
        const effect = effectOf({ deal, company }, target.current, isNew, mode)
        if (!report.accepts(deal, effect.errors)) continue
        this.deals.add(target)
        target.effects.push(effect)
        target.current = effect.after
        if (!known) index.add(target)
        index.claim(target, key)
      }
    }
    this.#rows.length = 0
    this.#requireFields(fields, report)
  }

  async #readIndex(db: Db, rows: readonly PlacedRow[]): Promise<DealIndex<PlannedDeal>> {
    const candidates = await readImportedDeals(db, {
      ids: distinct(rows.flatMap(({ deal }) => deal.id ?? [])),
      keys: distinct(rows.flatMap(({ deal }) => (deal.key.isUnique ? deal.key.text : []))),
      companyIds: distinct(rows.flatMap(({ company }) => company?.id ?? [])),
    })
    const index = new DealIndex<PlannedDeal>()
    for (const before of candidates) {
      this.known.add(before.id)
      index.add({ id: before.id, before, isRestored: false, current: before, effects: [] })
    }
    return index
  }

  /** New deals need values in required custom fields. */
  #requireFields(fields: CustomFieldMap, report: DealPlanReport): void {
    for (const target of this.deals) {
      const missing = target.before ? undefined : missingField(fields, target.current.custom)
      if (!missing) continue
      const error = cellError('', 'custom', '', requiredError(missing).message)
      for (const { row } of target.effects) report.fail(row.deal, [error])
      this.deals.delete(target)
    }
  }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

function newTarget({ id, key }: DealRow, company_id: string, inTrash: ImportedDeal | undefined): PlannedDeal {
  if (inTrash) return { id: inTrash.id, before: inTrash, isRestored: true, current: inTrash, effects: [] }
  const start = newDeal(id ?? newId('df'), { company_id, import_key: id === undefined ? key.text : null })
  return { id: start.id, before: undefined, isRestored: false, current: start, effects: [] }
}

/** Why a row without a company that exists creates no deal. */
function companyError({ company }: DealRow, mention: CompanyMention | undefined): CellError {
  if (!company || !mention) return cellError('', 'company', '', NO_COMPANY)
  const text = company.name || (company.website ?? '')
  const reason = explainUnknown(mention.reason ?? 'unknown', 'The row was not imported.')
  return cellError(company.column, 'company', text, reason)
}

/** Finds the deleted deal that a row is about: by its id, or by its id in another tool. */
async function findDeleted(
  db: Db,
  rows: readonly PlacedRow[],
): Promise<(row: PlacedRow) => ImportedDeal | undefined> {
  const deleted = await readTrashedDeals(db, {
    ids: distinct(rows.flatMap(({ deal }) => deal.id ?? [])),
    keys: distinct(rows.map(({ deal }) => deal.key.text)),
  })
  const byId = new Map(deleted.map((deal) => [deal.id, deal]))
  const byKey = Map.groupBy(deleted, ({ import_key }) => import_key)
  return ({ deal: { id, key }, company }) => {
    const own = id === undefined ? undefined : byId.get(id)
    const keyed = id === undefined ? byKey.get(key.text) : undefined
    return own ?? keyed?.find(({ company_id }) => key.isUnique || company_id === company?.id)
  }
}

/** Leaves out sources that do not exist, and reports them. */
async function leaveOutSources(db: Db, rows: readonly DealRow[]): Promise<void> {
  const existing = await keepTargets(
    db,
    rows.flatMap(({ source }) => sourceEntries(source)),
  )
  for (const row of rows) {
    const { source } = row
    if (!source || sourceEntries(source).every(({ id }) => existing.has(id))) continue
    row.errors.push(cellError(source.column, 'source_id', source.source_id, NO_SOURCE))
    row.source = undefined
  }
}

/** The record that brought a deal, if it is one. */
export const sourceEntries = (source: DealRow['source']) =>
  source && (source.source_type === 'person' || source.source_type === 'company')
    ? [{ type: source.source_type, id: source.source_id }]
    : []
