import { type ImportedDeal, newDeal, readImportedDeals } from '#src/features/deals/index.ts'
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
import { NO_FIELDS } from './deal-values.ts'
import { findDeleted } from './deleted-deals.ts'

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
  repeat(row: DealRow): void
  /** Whether a row with these errors is imported nevertheless. */
  accepts(row: DealRow, errors: CellMessages['errors']): boolean
}

const ROWS_PER_TURN = 1000
const NO_SOURCE = 'No record has this id. Who brought the deal was left out.'
const NO_COMPANY = 'company is required.'
const COMPANY_IN_TRASH = 'The company of the deal is in the trash. Restore the company first.'

/** Plans which deals the rows of a file are, and what they change, without writing anything. */
export class DealsPlan {
  readonly mentions = new CompanyMentions()
  readonly deals = new Set<PlannedDeal>()
  /** The deals that existed when the file was planned, and those that it creates. */
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
    const all = this.#rows.splice(0)
    await leaveOutSources(
      db,
      all.map(({ deal }) => deal),
    )
    const placed = all.map(({ deal, mention }) => ({ deal, mention, company: mention?.company }))
    const rows = placed.filter(tellApart((deal) => report.repeat(deal)))
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
      else if (deleted?.isCompanyGone)
        report.fail(deal, [cellError(deal.companyColumn, 'company', deal.name, COMPANY_IN_TRASH)])
      else if (!known && !deleted && !company) report.fail(deal, [companyError(deal, mention)])
      else {
        const target = known ?? newTarget(deal, company?.id ?? '', deleted?.deal)
        if (!addRow(target, { deal, company }, this.#choices.onExisting, report)) continue
        this.deals.add(target)
        this.known.add(target.id)
        if (!known) index.add(target)
        index.claim(target, key)
      }
    }
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

/**
 * Adds a row to those of a deal. The values of all rows are combined before they are compared with the deal, so that a second
 * import changes nothing; the last one counts.
 * @returns whether the row is imported
 */
function addRow(
  target: PlannedDeal,
  row: PlacedRow,
  onExisting: OnExisting,
  report: Pick<DealPlanReport, 'accepts'>,
): boolean {
  const mode = target.before ? onExisting : 'update'
  const effect = effectOf(row, target.current, !target.before && target.effects.length === 0, mode)
  if (!report.accepts(row.deal, effect.errors)) return false
  const [first] = target.effects
  if (!first) {
    target.effects.push(effect)
    target.current = effect.after
    return true
  }
  const { deal } = first.row
  const given = Object.entries(row.deal.fields).filter(([, value]) => value !== undefined)
  deal.fields = { ...deal.fields, ...Object.fromEntries(given) }
  deal.source = row.deal.source ?? deal.source
  deal.custom = { ...deal.custom, ...row.deal.custom }
  row.deal.fields = NO_FIELDS
  row.deal.source = undefined
  row.deal.custom = undefined
  target.effects[0] = effectOf(first.row, first.before, !target.before, mode)
  target.current = target.effects[0].after
  target.effects.push(effectOf(row, target.current, false, mode))
  return true
}

/**
 * Tells rows apart that have no id and the same company, name, and round: they are several deals, unless they are equal.
 * @param repeat called with a row that repeats an earlier one
 */
function tellApart(repeat: (deal: DealRow) => void): (row: PlacedRow) => boolean {
  const known = new Map<string, Set<string>>()
  return ({ deal, company }) => {
    const { id, key, fields, source, custom } = deal
    if (id !== undefined || key.isId || !company) return true
    const identity = JSON.stringify([company.id, key.text])
    const values = known.get(identity) ?? new Set()
    known.set(identity, values)
    const value = JSON.stringify([fields, source, custom])
    if (values.has(value)) {
      repeat(deal)
      return false
    }
    values.add(value)
    if (values.size > 1) deal.key = { ...key, text: `${key.text} | ${values.size}` }
    return true
  }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

function newTarget({ id, key }: DealRow, company_id: string, inTrash: ImportedDeal | undefined): PlannedDeal {
  if (inTrash) return { id: inTrash.id, before: inTrash, isRestored: true, current: inTrash, effects: [] }
  const start = newDeal(id ?? newId('df'), { company_id, import_key: id === undefined ? key.text : null })
  return { id: start.id, before: undefined, isRestored: false, current: start, effects: [] }
}

/** Why a row without a company that exists creates no deal. */
function companyError({ company, companyColumn }: DealRow, mention: CompanyMention | undefined): CellError {
  if (!company || !mention) return cellError(companyColumn, 'company', '', NO_COMPANY)
  const text = company.name || (company.website ?? '')
  const reason = explainUnknown(mention.reason ?? 'unknown', 'The row was not imported.')
  return cellError(companyColumn, 'company', text, reason)
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
