import { sql } from 'kysely'
import { type AboutEntry, keepTargets } from '#src/features/links/index.ts'
import type { StoredPerson } from '#src/features/people/index.ts'
import { foldUserName } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { TextCell } from '../columns/columns.ts'
import { readCandidates } from '../people/candidates.ts'
import { type CompanyMention, CompanyMentions, explainUnknown } from '../records/company-mentions.ts'
import { cellError } from '../rows/field-cells.ts'
import type { NoteRow } from './note-reader.ts'

const NO_PERSON = 'No person has this name or email address. The note was not linked to one.'
const SEVERAL_PEOPLE = 'Several people have this name. The note was not linked to one.'
const NO_PARTICIPANT = 'No person has this id. The note was imported without this participant.'
const NO_DEAL = 'No company of this name has exactly one deal. The note was not linked to a deal.'

/** A note with the companies that its row names. */
interface NamedNote {
  note: NoteRow
  companies: { mention: CompanyMention; cell: TextCell }[]
  deals: { mention: CompanyMention; cell: TextCell }[]
  entities: { mention: CompanyMention | undefined; cell: TextCell }[]
}

/** Finds the records that the notes of a file are about. */
export class NoteTargets {
  readonly mentions = new CompanyMentions()
  /** Deals are looked up by the names of their companies, which are never created for that. */
  readonly #ofDeals = new CompanyMentions()
  readonly #notes: NamedNote[] = []

  add(note: NoteRow): void {
    const { row, companies, website, deals, entities } = note
    const named = companies.map((cell, index) => ({
      cell,
      mention: this.mentions.add(
        { name: cell.text, website: index === 0 ? (website?.text ?? null) : null },
        row,
      ),
    }))
    if (named.length === 0 && website)
      named.push({ cell: website, mention: this.mentions.add({ name: '', website: website.text }, row) })
    this.#notes.push({
      note,
      companies: named,
      deals: deals.map((cell) => ({
        cell,
        mention: this.#ofDeals.add({ name: cell.text, website: null }, row),
      })),
      entities: entities.map((cell) => ({ cell, mention: this.#entity(cell, row) })),
    })
  }

  #entity({ text }: TextCell, row: number): CompanyMention | undefined {
    if (text.includes('@')) return undefined
    const isSite = /^(?:https?:\/\/)?[^\s.]+(?:\.[^\s.]+)+$/.test(text)
    return isSite
      ? this.mentions.add({ name: '', website: text }, row)
      : this.#ofDeals.add({ name: text, website: null }, row)
  }

  /** The notes with what they are about. Reports what does not exist. */
  async resolve(db: Db, createCompanies: boolean): Promise<{ note: NoteRow; about: AboutEntry[] }[]> {
    await this.mentions.resolve(db, createCompanies)
    await this.#ofDeals.resolve(db, false)
    const people = await this.#readPeople(db)
    const deals = await readDeals(
      db,
      this.#ofDeals.all.flatMap(({ company }) => company?.id ?? []),
    )
    const exported = this.#notes.flatMap(({ note }) => [...note.aboutIds, ...note.participantIds])
    const ids = new Set(exported.map(({ text }) => text))
    const existing = await keepTargets(db, [...ids].flatMap(entryOf))
    const isPerson = (id: string) => existing.has(id) && entryOf(id)[0]?.type === 'person'
    for (const { note } of this.#notes) leaveOutParticipants(note, isPerson)
    return this.#notes.splice(0).map((named) => ({
      note: named.note,
      about: distinctEntries([
        ...companiesOf(named),
        ...peopleOf(named, people),
        ...dealsOf(named, deals),
        ...exportedOf(named.note, existing),
      ]),
    }))
  }

  async #readPeople(db: Db): Promise<readonly StoredPerson[]> {
    const cells = this.#notes.flatMap(({ note, entities }) => [
      ...note.emails,
      ...note.people,
      ...entities.map(({ cell }) => cell),
    ])
    const texts = [...new Set(cells.map(({ text }) => text))]
    const isEmail = (text: string) => text.includes('@')
    return readCandidates(db, {
      ...{ ids: [], profiles: [], companyIds: [] },
      emails: texts.filter(isEmail).map((text) => text.toLowerCase()),
      names: texts.filter((text) => !isEmail(text)),
    })
  }
}

const entryOf = (id: string): AboutEntry[] => {
  const type = ({ cmp: 'company', df: 'deal', per: 'person', th: 'thesis' } as const)[
    id.split('_')[0] as 'cmp'
  ]
  return type ? [{ type, id }] : []
}

const distinctEntries = (entries: readonly AboutEntry[]): AboutEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
]

function companiesOf({ note, companies, entities }: NamedNote): AboutEntry[] {
  const sites = entities.flatMap(({ mention, cell }) =>
    mention && mention.name === '' ? [{ mention, cell }] : [],
  )
  return [...companies, ...sites].flatMap(({ mention: { company, reason }, cell }) => {
    if (company) return [{ type: 'company' as const, id: company.id }]
    if (reason) note.errors.push(cellError(cell.column, 'company', cell.text, explainUnknown(reason)))
    return []
  })
}

function peopleOf({ note, companies, entities }: NamedNote, people: readonly StoredPerson[]): AboutEntry[] {
  const ids = new Set(companies.flatMap(({ mention }) => mention.company?.id ?? []))
  const found: AboutEntry[] = []
  const find = ({ text, column }: TextCell, isNeeded: boolean): boolean => {
    const email = text.toLowerCase()
    const folded = foldUserName(text)
    const same = text.includes('@')
      ? people.filter(({ emails }) => emails.includes(email))
      : people.filter(({ name }) => foldUserName(name) === folded)
    const colleagues = same.filter((person) => Object.keys(person.companies).some((id) => ids.has(id)))
    const [person, ...others] = colleagues.length > 0 ? colleagues : same
    if (person && others.length === 0) found.push({ type: 'person', id: person.id })
    else if (isNeeded || person)
      note.errors.push(cellError(column, 'person', text, person ? SEVERAL_PEOPLE : NO_PERSON))
    return person !== undefined
  }
  // An email address says more than the name beside it.
  const byEmail = note.emails.map((cell) => find(cell, note.people.length === 0))
  const isKnown = byEmail.length > 0 && byEmail.every(Boolean) && note.people.length <= byEmail.length
  if (!isKnown) for (const cell of note.people) find(cell, true)
  for (const { cell, mention } of entities) {
    if (mention && mention.name === '') continue
    if (mention?.company) {
      const isPerson = people.some(({ name }) => foldUserName(name) === foldUserName(cell.text))
      if (!isPerson) found.push({ type: 'company', id: mention.company.id })
      else find(cell, true)
    } else find(cell, true)
  }
  return found
}

function dealsOf({ note, deals }: NamedNote, byCompany: ReadonlyMap<string, string[]>): AboutEntry[] {
  return deals.flatMap(({ mention, cell }) => {
    const [deal, ...others] = byCompany.get(mention.company?.id ?? '') ?? []
    if (deal && others.length === 0) return [{ type: 'deal' as const, id: deal }]
    note.errors.push(cellError(cell.column, 'deal', cell.text, NO_DEAL))
    return []
  })
}

function exportedOf({ errors, aboutIds }: NoteRow, existing: ReadonlySet<string>): AboutEntry[] {
  return aboutIds.flatMap(({ text, column }) => {
    if (existing.has(text)) return entryOf(text)
    errors.push(cellError(column, 'about', text, 'No record has this id. The note was not linked to it.'))
    return []
  })
}

/** Leaves out people who do not exist, and reports them. */
function leaveOutParticipants(note: NoteRow, exists: (id: string) => boolean): void {
  for (const { text, column } of note.participantIds)
    if (!exists(text)) note.errors.push(cellError(column, 'participants', text, NO_PARTICIPANT))
  note.participantIds = note.participantIds.filter(({ text }) => exists(text))
}

/** The deals of companies, by the id of the company. */
async function readDeals(db: Db, companyIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; company_id: string }>`
    select id, company_id from dealflow where company_id = any(${[...companyIds]}) order by id`.execute(db)
  const byCompany = new Map<string, string[]>()
  for (const { id, company_id } of rows) byCompany.set(company_id, [...(byCompany.get(company_id) ?? []), id])
  return byCompany
}
