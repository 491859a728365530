import { isDeepStrictEqual } from 'node:util'
import { changesOf } from '#src/features/activity/index.ts'
import { normalizeTags } from '#src/features/companies/index.ts'
import { withCustomNames } from '#src/features/fields/index.ts'
import {
  type Link,
  MAX_COMPANIES_OF_PERSON,
  MAX_CONTACT_DETAILS,
  MAX_ROLE_LENGTH,
  parsePhone,
  type StoredPerson,
} from '#src/features/people/index.ts'
import { foldUserName } from '#src/features/users/index.ts'
import type { TextCell } from '../columns/columns.ts'
import type { OnExisting } from '../record-schema.ts'
import type { MentionedCompany } from '../records/company-mentions.ts'
import { shownValue } from '../row-lists.ts'
import { type CellMessages, cellError } from '../rows/field-cells.ts'
import type { PersonRow } from './person-reader.ts'

/** A company of a row, which exists or will. */
export interface RowLink {
  company: MentionedCompany
  role: TextCell | undefined
  /** The other values of a link in an export of this service. */
  exported?: Pick<Link, 'from' | 'until' | 'is_primary'>
}

/** A row with the companies that it is about. */
export interface LinkedRow {
  person: PersonRow
  links: readonly RowLink[]
}

const TOO_MANY = (what: string, limit: number) =>
  `A person may have up to ${limit} ${what}. The others were left out.`
const NO_PHONE =
  'phones must be international phone numbers, such as +4930123456, or national numbers of the country of the company or the row, without an extension.'
const OTHER_NAME = 'The person is stored with another name, which stays.'
const LONG_ROLE = `role must be text of up to ${MAX_ROLE_LENGTH} characters.`

/**
 * A person after a row.
 * @param mode fill: only blank fields get values
 * @param messages receives what cannot be stored
 */
export function applyRow(
  before: StoredPerson,
  { person, links }: LinkedRow,
  mode: OnExisting,
  messages: CellMessages,
): StoredPerson {
  const isFilling = mode === 'fill'
  const single = (field: 'headline' | 'location' | 'owner_email', value: string | undefined) =>
    value === undefined || (isFilling && before[field] !== null) ? before[field] : value
  const list = (field: 'emails' | 'phones' | 'links', cells: readonly TextCell[], what: string) => {
    if (isFilling && before[field].length > 0) return before[field]
    const all = [...new Set([...before[field], ...cells.map(({ text }) => text)])]
    for (const { text, column } of cells.filter((cell) => all.indexOf(cell.text) >= MAX_CONTACT_DETAILS))
      messages.errors.push(cellError(column, field, text, TOO_MANY(what, MAX_CONTACT_DETAILS)))
    return all.slice(0, MAX_CONTACT_DETAILS)
  }
  if (person.id !== before.id && foldUserName(before.name) !== foldUserName(person.name))
    messages.notes.push(cellError('', 'name', person.name, OTHER_NAME))
  const companies = linksAfter(before, links, isFilling, messages)
  const country = countryOf(companies, links) ?? person.country
  const phones = phonesOf(person.phones, country, messages)
  // A title without a company says what the person does.
  const headline = person.headline ?? (links.length === 0 ? person.role?.text : undefined)
  return {
    ...before,
    name: person.id === before.id && !isFilling ? person.name : before.name,
    emails: list('emails', person.emails, 'email addresses'),
    phones: list('phones', phones, 'phone numbers'),
    links: list('links', person.links, 'links'),
    headline: single('headline', headline),
    location: single('location', person.location),
    owner_email: single('owner_email', person.owner_email),
    tags: isFilling && before.tags.length > 0 ? before.tags : normalizeTags([...before.tags, ...person.tags]),
    custom: isFilling ? { ...person.custom, ...before.custom } : { ...before.custom, ...person.custom },
    companies,
  }
}

const countryOf = (companies: StoredPerson['companies'], links: readonly RowLink[]): string | null => {
  const primary = links.find(({ company }) => companies[company.id]?.is_primary) ?? links[0]
  return primary?.company.country_code ?? null
}

function phonesOf(cells: readonly TextCell[], country: string | null, messages: CellMessages): TextCell[] {
  return cells.flatMap(({ text, column }) => {
    const phone = parsePhone(text, country)
    if (phone !== undefined) return [{ text: phone, column }]
    messages.errors.push(cellError(column, 'phones', text, NO_PHONE))
    return []
  })
}

/** The links of a person after a row. The first company of a person without a primary one is that. */
function linksAfter(
  { companies }: StoredPerson,
  links: readonly RowLink[],
  isFilling: boolean,
  messages: CellMessages,
): StoredPerson['companies'] {
  const after = { ...companies }
  for (const { company, role: cell, exported } of links) {
    const known = after[company.id]
    const hasPrimary = Object.entries(after).some(([id, link]) => id !== company.id && link.is_primary)
    const role = cell && cell.text.length > MAX_ROLE_LENGTH ? undefined : cell?.text || undefined
    if (cell && role === undefined && cell.text !== '')
      messages.errors.push(cellError(cell.column, 'role', cell.text, LONG_ROLE))
    if (!known && Object.keys(after).length >= MAX_COMPANIES_OF_PERSON) {
      messages.errors.push(
        cellError('', 'company', company.name, TOO_MANY('companies', MAX_COMPANIES_OF_PERSON)),
      )
      continue
    }
    const base = known ?? { role: null, from: null, until: null, is_primary: true, ...exported }
    after[company.id] = {
      ...base,
      ...(!isFilling && exported),
      role: isFilling && base.role !== null ? base.role : (role ?? base.role),
      is_primary: (exported?.is_primary ?? base.is_primary) && !hasPrimary,
    }
  }
  return after
}

/** What has changed of a person, with the names of companies. Long values are shortened. */
export function shownPersonChanges(
  before: StoredPerson,
  after: StoredPerson,
  nameOf: (company: string) => string,
): Record<string, { from: unknown; to: unknown }> {
  const [from, to] = [shownPerson(before, nameOf), shownPerson(after, nameOf)]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return Object.fromEntries(
    Object.entries(changesOf(from, to, names)).map(([field, change]) => [
      field,
      { from: shownValue(change.from), to: shownValue(change.to) },
    ]),
  )
}

/** A person's values as people read them, custom ones as `custom.<key>`. */
export function shownPerson(
  { companies, id: _id, created_at: _created, updated_at: _updated, ...person }: StoredPerson,
  nameOf: (company: string) => string,
): Record<string, unknown> {
  const { custom: _custom, ...fields } = withCustomNames(person) as Record<string, unknown>
  const shown = Object.entries(companies).map(([id, { role }]) =>
    role ? `${nameOf(id)} (${role})` : nameOf(id),
  )
  return { ...fields, companies: shown }
}

/** Whether an import changes a person. */
export const isSamePerson = (one: StoredPerson, other: StoredPerson): boolean =>
  isDeepStrictEqual({ ...one, updated_at: '' }, { ...other, updated_at: '' })
