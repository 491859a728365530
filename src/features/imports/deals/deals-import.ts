import type { Action } from '#src/features/activity/index.ts'
import type { CustomFieldMap, CustomFields } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { NewCompanies } from '../records/new-companies.ts'
import type { RecordLists, RecordPlanner } from '../records/record-import.ts'
import { shownFields } from '../row-lists.ts'
import type { BadCells } from '../schema.ts'
import { type DealEffect, shownDeal, shownDealChanges } from './apply-row.ts'
import type { DealReader, DealRow } from './deal-reader.ts'
import { type DealChoices, DealsPlan, type PlannedDeal } from './plan-deals.ts'
import type { StageWords } from './stage-words.ts'
import { writeDeals } from './write-deals.ts'

interface DealsImportParts {
  reader: DealReader
  stages: StageWords
  customFields: CustomFields
  lists: RecordLists
  importId: string
  choices: DealChoices & { badCells: BadCells }
}

const EXISTS = 'The deal exists already.'
const REPEATS = 'The row repeats an earlier one.'

/** The import of a file of deals. */
export class DealsImport implements RecordPlanner<PlannedDeal> {
  readonly #parts: DealsImportParts
  readonly #plan: DealsPlan
  readonly #rows: DealRow[] = []
  #companies: NewCompanies
  #fields: CustomFieldMap = new Map()

  constructor(parts: DealsImportParts) {
    this.#parts = parts
    this.#plan = new DealsPlan(parts.choices)
    this.#companies = new NewCompanies(this.#plan.mentions)
  }

  add(row: number, cells: string[], fields: CustomFieldMap): void {
    this.#rows.push(this.#parts.reader.read(row, cells, fields))
  }

  async plan(db: Db, fields: CustomFieldMap): Promise<readonly PlannedDeal[]> {
    const { reader, lists, choices } = this.#parts
    this.#fields = fields
    for (const deal of this.#rows.splice(0)) {
      reader.settle(deal)
      if (choices.badCells === 'fail' && deal.errors.length > 0)
        lists.fail(deal.row, deal.name || undefined, deal.errors)
      else this.#plan.add(deal)
    }
    await this.#plan.make(db, fields, {
      fail: ({ row, name, errors: own }, errors) => lists.fail(row, name || undefined, [...own, ...errors]),
      trash: ({ row, name }) => lists.trash(row, name),
      skip: (deal) => lists.leaveOut(deal.row, shownRow(deal), EXISTS, false),
      repeat: (deal) => lists.leaveOut(deal.row, shownRow(deal), REPEATS, false),
      accepts: ({ row, name }, errors) => {
        if (choices.badCells !== 'fail' || errors.length === 0) return true
        lists.fail(row, name, errors)
        return false
      },
    })
    this.#companies = new NewCompanies(this.#plan.mentions)
    return [...this.#plan.deals]
  }

  foresee(deals: readonly PlannedDeal[]): void {
    for (const { effects } of deals) this.#report(effects)
    this.#parts.lists.counts.restored += deals.filter(({ isRestored }) => isRestored).length
  }

  async write(transaction: Db, deals: readonly PlannedDeal[], action: Action): Promise<() => void> {
    const { importId, choices, customFields, lists } = this.#parts
    const current = await customFields.lock(transaction, 'deal')
    const { effects, rejected, restored } = await writeDeals(transaction, deals, {
      ...{ action, importId, onExisting: choices.onExisting, companies: this.#companies },
      known: this.#plan.known,
      fields: { previous: this.#fields, current },
    })
    return () => {
      this.#companies.keep()
      for (const { row, message } of rejected) lists.reject(row, message)
      this.#report(effects)
      lists.counts.restored += restored
    }
  }

  reject({ effects }: PlannedDeal, reason: string): void {
    for (const { row } of effects) this.#parts.lists.reject(row.deal.row, reason)
  }

  get companies() {
    return this.#companies.report
  }

  get details() {
    return this.#parts.stages.report
  }

  #report(effects: readonly DealEffect[]): void {
    const { lists } = this.#parts
    const created = new Set(
      effects.filter(({ outcome }) => outcome === 'created').map(({ after }) => after.id),
    )
    for (const { row, outcome, before, after, errors, notes } of effects) {
      const { deal, company } = row
      const name = deal.name || (company?.name ?? '')
      for (const error of errors) lists.leaveBlank(deal.row, name, error)
      for (const note of notes) lists.note(deal.row, note)
      this.#companies.use(after.company_id)
      lists.addRow({
        ...{ row: deal.row, name, outcome, id: created.has(after.id) ? null : after.id },
        changes: () => shownDealChanges(before, after),
        fields: () => shownFields({ company: this.#companies.nameOf(after.company_id), ...shownDeal(after) }),
      })
    }
  }
}

const shownRow = ({ name, fields: { round } }: DealRow): string[] => [
  name,
  ...(round === undefined ? [] : [round]),
]
