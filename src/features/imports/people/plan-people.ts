import { type CustomFieldMap, missingField, requiredError, sizeError } from '#src/features/fields/index.ts'
import { newPerson, readCompanyLinks, type StoredPerson } from '#src/features/people/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { newId } from '#src/platform/ids.ts'
import type { OnExisting } from '../record-schema.ts'
import { type CompanyMention, CompanyMentions, explainUnknown } from '../records/company-mentions.ts'
import { type CellMessages, cellError } from '../rows/field-cells.ts'
import { applyRow, isSamePerson, type LinkedRow, type RowLink } from './apply-row.ts'
import { profileKey, readCandidates, readTrashedPeople, type TrashedPerson } from './candidates.ts'
import { PersonIndex } from './match.ts'
import type { PersonRow } from './person-reader.ts'

/** What a row does to a person. */
export interface RowEffect extends CellMessages {
  row: LinkedRow
  outcome: 'created' | 'updated' | 'unchanged'
  before: StoredPerson
  after: StoredPerson
}

/** A person that rows of the file are about. */
export interface PlannedPerson {
  id: string
  /** The existing person; undefined: they are created. */
  before: StoredPerson | undefined
  /** Whether they come back from the trash. */
  isRestored: boolean
  current: StoredPerson
  effects: RowEffect[]
}

export interface PeopleChoices {
  createCompanies: boolean
  onExisting: OnExisting
  onTrashed: 'skip' | 'restore'
}

/** The rows that are not imported. */
export interface PlanReport {
  fail(row: PersonRow, message: string): void
  trash(row: PersonRow): void
  skip(row: PersonRow): void
  /** Whether a row with these errors is imported nevertheless. */
  accepts(row: PersonRow, errors: CellMessages['errors']): boolean
}

/** A company that a row names, and the link to it. */
interface NamedLink {
  mention: CompanyMention
  link: Omit<RowLink, 'company'>
}

const ROWS_PER_TURN = 1000
const OTHER_OWNER = 'Someone with another name has this email address, so the row is a person of its own.'
const BY_EMAIL = 'The company was found by the domain of the email address.'

/** Plans who the rows of a file are, and what they change, without writing anything. */
export class PeoplePlan {
  readonly mentions = new CompanyMentions()
  readonly people = new Set<PlannedPerson>()
  /** The people that existed when the file was planned. */
  readonly known = new Set<string>()
  readonly #choices: PeopleChoices
  readonly #rows: { person: PersonRow; named: NamedLink[] }[] = []

  constructor(choices: PeopleChoices) {
    this.#choices = choices
  }

  /** Takes a row with a name. */
  add(person: PersonRow): void {
    const { row, companies, companyWebsite, exported, emails } = person
    const website = companyWebsite?.text ?? null
    const named: NamedLink[] = companies.map(({ name, role }, index) => ({
      mention: this.mentions.add({ name, website: index === 0 ? website : null }, row),
      link: { role },
    }))
    if (named.length === 0 && website)
      named.push({ mention: this.mentions.add({ name: '', website }, row), link: { role: person.role } })
    const [email] = emails
    const guess =
      named.length === 0 && email && !person.id ? this.mentions.addEmail(email.text, row) : undefined
    if (guess) named.push({ mention: guess, link: { role: person.role } })
    for (const { company_id, name, role, from, until, is_primary } of exported)
      named.push({
        mention: this.mentions.add({ name, website: null, id: company_id }, row),
        link: {
          role: role ? { text: role, column: 'companies' } : undefined,
          exported: { from, until, is_primary },
        },
      })
    this.#rows.push({ person, named })
  }

  /** Decides about all rows, in the order of the file: each sees what those before it have become. */
  async make(db: Db, fields: CustomFieldMap, report: PlanReport): Promise<void> {
    await this.mentions.resolve(db, this.#choices.createCompanies)
    const rows = this.#rows.map(({ person, named }) => ({ person, links: linksOf(person, named) }))
    const inTrash = await readTrashedPeople(
      db,
      distinct(rows.flatMap(({ person }) => person.id ?? [])),
      distinct(rows.flatMap(({ person }) => person.emails.map(({ text }) => text))),
    )
    const index = await this.#readIndex(db, rows, inTrash)
    const trashed = await findDeleted(db, inTrash)
    for (const [position, row] of rows.entries()) {
      if (position % ROWS_PER_TURN === 0) await yieldToEventLoop()
      const { person, links } = row
      const { known, other } = index.find({
        ...{ id: person.id, name: person.name },
        ...{ emails: person.emails.map(({ text }) => text), links: person.links.map(({ text }) => text) },
        companyIds: links.map(({ company }) => company.id),
      })
      if (other && person.emails[0])
        person.notes.push(cellError(person.emails[0].column, 'emails', person.emails[0].text, OTHER_OWNER))
      const deleted = known ? undefined : trashed(person)
      if (deleted && this.#choices.onTrashed === 'skip') {
        report.trash(person)
        continue
      }
      if (known?.before && this.#choices.onExisting === 'skip') {
        report.skip(person)
        continue
      }
      const target = known ?? this.#newTarget(person, deleted)
      const effect = effectOf(
        row,
        target.current,
        !target.before && target.effects.length === 0,
        this.#mode(target),
      )
      if (!report.accepts(person, effect.errors)) continue
      this.people.add(target)
      target.effects.push(effect)
      target.current = effect.after
      index.add(target)
    }
    this.#rows.length = 0
    this.#requireFields(fields, report)
  }

  #mode({ before }: PlannedPerson): OnExisting {
    return before ? this.#choices.onExisting : 'update'
  }

  #newTarget({ id, name }: PersonRow, inTrash: StoredPerson | undefined): PlannedPerson {
    if (inTrash) return { id: inTrash.id, before: inTrash, isRestored: true, current: inTrash, effects: [] }
    const start = newPerson(id ?? newId('per'), { name, custom: {}, companies: {} })
    return { id: start.id, before: undefined, isRestored: false, current: start, effects: [] }
  }

  async #readIndex(
    db: Db,
    rows: readonly LinkedRow[],
    trashed: readonly TrashedPerson[],
  ): Promise<PersonIndex<PlannedPerson>> {
    const isBare = ({ person, links }: LinkedRow) =>
      person.emails.length === 0 && links.length === 0 && person.links.length === 0
    const candidates = await readCandidates(db, {
      ids: distinct([
        ...rows.flatMap(({ person }) => person.id ?? []),
        ...trashed.flatMap(({ survivor }) => survivor ?? []),
      ]),
      emails: distinct(rows.flatMap(({ person }) => person.emails.map(({ text }) => text))),
      profiles: distinct(
        rows.flatMap(({ person }) => person.links.flatMap(({ text }) => profileKey(text) ?? [])),
      ),
      companyIds: distinct(rows.flatMap(({ links }) => links.map(({ company }) => company.id))),
      names: distinct(rows.filter(isBare).map(({ person }) => person.name)),
    })
    const index = new PersonIndex<PlannedPerson>()
    for (const before of candidates) {
      this.known.add(before.id)
      index.add({ id: before.id, before, isRestored: false, current: before, effects: [] })
    }
    for (const { id, survivor, record } of trashed)
      if (survivor !== null) index.addMerged(survivor, { id, emails: record.emails })
    return index
  }

  /** New people need values in required custom fields. */
  #requireFields(fields: CustomFieldMap, report: PlanReport): void {
    for (const target of this.people) {
      const missing = target.before ? undefined : missingField(fields, target.current.custom)
      if (!missing) continue
      for (const { row } of target.effects) report.fail(row.person, requiredError(missing).message)
      this.people.delete(target)
    }
  }
}

/** Finds the deleted person that a row is about. */
async function findDeleted(
  db: Db,
  inTrash: readonly TrashedPerson[],
): Promise<(row: PersonRow) => StoredPerson | undefined> {
  const deleted = inTrash.filter(({ survivor }) => survivor === null)
  const links = await readCompanyLinks(
    db,
    deleted.map(({ id }) => id),
  )
  const byKey = new Map<string, StoredPerson>()
  for (const { id, record } of deleted) {
    const person = { ...record, companies: links.get(id) ?? {} }
    for (const key of [id, ...record.emails]) if (!byKey.has(key)) byKey.set(key, person)
  }
  return ({ id, emails }) => {
    const own = id === undefined ? undefined : byKey.get(id)
    return own ?? emails.map(({ text }) => byKey.get(text)).find(Boolean)
  }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/** The links of a row to the companies that exist or will. Reports the others. */
function linksOf(person: PersonRow, named: readonly NamedLink[]): RowLink[] {
  const [first] = person.companies
  const column = first?.column ?? person.companyWebsite?.column ?? 'companies'
  return named.flatMap(({ mention, link }) => {
    const { company, isGuess, reason, name, website } = mention
    if (company && isGuess && person.emails[0])
      person.notes.push(cellError(person.emails[0].column, 'company', person.emails[0].text, BY_EMAIL))
    if (company) return [{ ...link, company }]
    if (reason)
      person.errors.push(cellError(column, 'company', name || (website ?? ''), explainUnknown(reason)))
    return []
  })
}

/** What a row does to a person who is in this state. */
export function effectOf(row: LinkedRow, before: StoredPerson, isNew: boolean, mode: OnExisting): RowEffect {
  const messages: CellMessages = { errors: [...row.person.errors], notes: [...row.person.notes] }
  const applied = applyRow(before, row, mode, messages)
  const tooLarge = sizeError(applied.custom)
  if (tooLarge) messages.errors.push(cellError('', 'custom', '', tooLarge.message))
  const after = tooLarge ? { ...applied, custom: before.custom } : applied
  const outcome = isNew ? 'created' : isSamePerson(before, after) ? 'unchanged' : 'updated'
  return { row, outcome, before, after, ...messages }
}
