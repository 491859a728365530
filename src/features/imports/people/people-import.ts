import type { Action } from '#src/features/activity/index.ts'
import type { CustomFieldMap, CustomFields } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { NewCompanies } from '../records/new-companies.ts'
import type { RecordLists, RecordPlanner } from '../records/record-import.ts'
import { shownFields } from '../row-lists.ts'
import type { BadCells } from '../schema.ts'
import { shownPerson, shownPersonChanges } from './apply-row.ts'
import type { PersonReader } from './person-reader.ts'
import { type PeopleChoices, PeoplePlan, type PlannedPerson, type RowEffect } from './plan-people.ts'
import { writePeople } from './write-people.ts'

interface PeopleImportParts {
  reader: PersonReader
  customFields: CustomFields
  lists: RecordLists
  importId: string
  choices: PeopleChoices & { badCells: BadCells }
}

const EXISTS = 'The person exists already.'

/** The import of a file of people. */
export class PeopleImport implements RecordPlanner<PlannedPerson> {
  readonly #parts: PeopleImportParts
  readonly #plan: PeoplePlan
  #companies: NewCompanies
  #fields: CustomFieldMap = new Map()

  constructor(parts: PeopleImportParts) {
    this.#parts = parts
    this.#plan = new PeoplePlan(parts.choices)
    this.#companies = new NewCompanies(this.#plan.mentions)
  }

  add(row: number, cells: string[], fields: CustomFieldMap): void {
    const person = this.#parts.reader.read(row, cells, fields)
    if (person.name === '' || (this.#parts.choices.badCells === 'fail' && person.errors.length > 0))
      this.#parts.lists.fail(row, person.name || undefined, person.errors)
    else this.#plan.add(person)
  }

  async plan(db: Db, fields: CustomFieldMap): Promise<readonly PlannedPerson[]> {
    const { lists, choices } = this.#parts
    this.#fields = fields
    await this.#plan.make(db, fields, {
      fail: ({ row }, message) => lists.reject(row, message),
      trash: ({ row, name }) => lists.trash(row, name),
      skip: ({ row, name, emails }) =>
        lists.leaveOut(row, [name, ...emails.map(({ text }) => text)], EXISTS, false),
      accepts: ({ row, name }, errors) => {
        if (choices.badCells !== 'fail' || errors.length === 0) return true
        lists.fail(row, name, errors)
        return false
      },
    })
    this.#companies = new NewCompanies(this.#plan.mentions)
    return [...this.#plan.people]
  }

  foresee(people: readonly PlannedPerson[]): void {
    for (const { effects } of people) this.#report(effects)
    this.#parts.lists.counts.restored += people.filter(({ isRestored }) => isRestored).length
  }

  async write(transaction: Db, people: readonly PlannedPerson[], action: Action): Promise<() => void> {
    const { importId, choices, customFields, lists } = this.#parts
    const current = await customFields.lock(transaction, 'person')
    const { effects, rejected, restored } = await writePeople(transaction, people, {
      ...{
        action,
        importId,
        onExisting: choices.onExisting,
        companies: this.#companies,
        known: this.#plan.known,
      },
      fields: { previous: this.#fields, current },
    })
    return () => {
      this.#companies.keep()
      for (const { row, message } of rejected) lists.reject(row, message)
      this.#report(effects)
      lists.counts.restored += restored
    }
  }

  reject({ effects }: PlannedPerson, reason: string): void {
    for (const { row } of effects) this.#parts.lists.reject(row.person.row, reason)
  }

  get companies() {
    return this.#companies.report
  }

  #report(effects: readonly RowEffect[]): void {
    const { lists } = this.#parts
    const created = new Set(
      effects.filter(({ outcome }) => outcome === 'created').map(({ after }) => after.id),
    )
    for (const { row, outcome, before, after, errors, notes } of effects) {
      const { person, links } = row
      for (const error of errors) lists.leaveBlank(person.row, person.name, error)
      for (const note of notes) lists.note(person.row, note)
      for (const { company } of links) this.#companies.use(company.id)
      lists.addRow({
        ...{ row: person.row, name: person.name, outcome, id: created.has(after.id) ? null : after.id },
        changes: () => shownPersonChanges(before, after, this.#companies.nameOf),
        fields: () => shownFields(shownPerson(after, this.#companies.nameOf)),
      })
    }
  }
}
