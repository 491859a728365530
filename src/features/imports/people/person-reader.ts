import { type CustomFieldMap, type CustomValues, exportedLabels } from '#src/features/fields/index.ts'
import type { CompanyLink } from '#src/features/people/index.ts'
import type { UserReferences } from '#src/features/users/index.ts'
import { isWebUrl } from '#src/platform/network/addresses.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { countryCode } from '../cells/country-codes.ts'
import { emailAddressesIn } from '../cells/email-addresses.ts'
import { readUser } from '../cells/owners.ts'
import { parseJson } from '../cells/people.ts'
import { isPlaceholder, type PlaceholderKind } from '../cells/placeholders.ts'
import { allowedTags, TAGS_ALLOWED, tagsIn } from '../cells/tags.ts'
import { readWebAddress } from '../cells/web-address.ts'
import { type ImportColumns, type TextCell, VALUE_SEPARATORS } from '../columns/columns.ts'
import type { CustomReader } from '../rows/custom-reader.ts'
import { type CellMessages, cellError, FieldReader, placeholderTest } from '../rows/field-cells.ts'
import type { PersonField } from './person-columns.ts'

/** The values of a row of people. */
export interface PersonRow extends CellMessages {
  row: number
  /** The id in an export of this service. */
  id: string | undefined
  name: string
  emails: TextCell[]
  phones: TextCell[]
  links: TextCell[]
  tags: string[]
  headline: string | undefined
  location: string | undefined
  owner_email: string | undefined
  custom: CustomValues | undefined
  /** The two-letter code of the row's country. */
  country: string | null
  companies: { name: string; role: TextCell | undefined; column: string }[]
  companyWebsite: TextCell | undefined
  /** The companies of an export of this service. */
  exported: CompanyLink[]
  role: TextCell | undefined
}

const LINK_SEPARATORS = /\s*:::\s*|[\s;|]+|,\s*(?=https?:|www\.)/i
const PHONE_SEPARATORS = /\s*(?::::|[\n\r;|,])\s*/

const SINGLE = [
  'first_name',
  'middle_name',
  'last_name',
  'name_prefix',
  'name_suffix',
  'name',
  'headline',
  'location',
  'city',
  'region',
  'country',
  'owner_email',
  'role',
  'company_website',
] as const satisfies PersonField[]
type SingleField = (typeof SINGLE)[number]

/** Reads the rows of a file of people. */
export class PersonReader {
  readonly #columns: ImportColumns<PersonField>
  readonly #single: Readonly<Record<SingleField, FieldReader>>
  readonly #custom: CustomReader

  constructor(columns: ImportColumns<PersonField>, custom: CustomReader, users: UserReferences) {
    this.#columns = columns
    this.#custom = custom
    const reader = (field: SingleField): FieldReader =>
      new FieldReader(columns, {
        field,
        indexes: columns.indexes(field),
        isPlaceholder: placeholderTest(columns, columns.isExport ? null : placeholderKind(field)),
        read: (text) => {
          if (field === 'owner_email') return readUser(text, users, field)
          if (field === 'company_website') return readWebAddress(text, field)
          return { value: normalizeName(text).trim() }
        },
      })
    this.#single = Object.fromEntries(SINGLE.map((field) => [field, reader(field)])) as Record<
      SingleField,
      FieldReader
    >
  }

  /** @param fields the custom fields, with the options so far */
  read(row: number, cells: string[], fields: CustomFieldMap): PersonRow {
    const messages: CellMessages = { errors: [], notes: [] }
    const text = (field: SingleField) => this.#single[field].read(cells, messages) as string | undefined
    const cell = (field: SingleField, value: string | undefined): TextCell | undefined =>
      value === undefined
        ? undefined
        : { text: value, column: this.#columns.cell(field, cells)?.column ?? field }
    const emails = this.#emails(cells, messages)
    const role = cell('role', text('role'))
    const country = text('country')
    const person: PersonRow = {
      ...messages,
      row,
      id: this.#columns.id(cells),
      name: this.#name(text, emails[0], messages),
      emails,
      phones: this.#list('phones', cells, PHONE_SEPARATORS),
      links: this.#links(cells, messages),
      tags: this.#tags(cells, messages),
      headline: text('headline'),
      location: text('location') ?? locationOf([text('city'), text('region'), country]),
      owner_email: text('owner_email'),
      custom: this.#custom.read(cells, fields, messages),
      country: country === undefined ? null : (countryCode(country) ?? null),
      companies: this.#columns.isExport ? [] : this.#companies(cells, role),
      companyWebsite: cell('company_website', text('company_website')),
      exported: this.#columns.isExport ? this.#exported(cells, messages) : [],
      role,
    }
    return person
  }

  #name(
    text: (field: SingleField) => string | undefined,
    email: TextCell | undefined,
    messages: CellMessages,
  ): string {
    const parts = (['name_prefix', 'first_name', 'middle_name', 'last_name', 'name_suffix'] as const).map(
      text,
    )
    const name = text('name')
    const hasParts = parts[1] !== undefined || parts[3] !== undefined
    const joined = hasParts ? parts.filter(Boolean).join(' ') : name
    if (joined) return joined
    if (email) {
      messages.notes.push(cellError(email.column, 'name', email.text, NAMED_BY_EMAIL))
      return email.text
    }
    messages.errors.push(cellError(this.#columns.nameOf('name'), 'name', '', 'name is required.'))
    return ''
  }

  /** The parts of all columns of a field. */
  #list(field: PersonField, cells: string[], separators: RegExp): TextCell[] {
    const found = new Map<string, TextCell>()
    for (const index of this.#columns.indexes(field))
      for (const part of this.#columns.text(index, cells).split(separators)) {
        const text = part.trim()
        if (text && !isPlaceholder(text) && !found.has(text))
          found.set(text, { text, column: this.#columns.name(index) })
      }
    return [...found.values()]
  }

  #emails(cells: string[], messages: CellMessages): TextCell[] {
    const found = new Map<string, TextCell>()
    for (const { text, column } of this.#list('emails', cells, VALUE_SEPARATORS)) {
      const addresses = emailAddressesIn(text)
      for (const address of addresses.filter(isEmailAddress)) found.set(address, { text: address, column })
      if (addresses.length === 0 || !addresses.every(isEmailAddress))
        messages.errors.push(cellError(column, 'emails', text, NO_EMAIL))
    }
    return [...found.values()]
  }

  #links(cells: string[], messages: CellMessages): TextCell[] {
    const found = new Map<string, TextCell>()
    for (const { text, column } of this.#list('links', cells, LINK_SEPARATORS)) {
      const { value, error } = isWebUrl(text) ? { value: text } : readWebAddress(text, 'links')
      if (value) found.set(value, { text: value, column })
      else if (error) messages.errors.push(cellError(column, 'links', text, error))
    }
    return [...found.values()]
  }

  #tags(cells: string[], messages: CellMessages): string[] {
    const tags: string[] = []
    let last: TextCell | undefined
    for (const index of this.#columns.indexes('tags')) {
      const text = this.#columns.text(index, cells)
      if (!text || isPlaceholder(text)) continue
      last = { text, column: this.#columns.name(index) }
      const input = this.#columns.isExport ? exportedLabels(text) : tagsIn(text.replaceAll(' ::: ', ';'))
      // Google marks its own groups, such as "* myContacts".
      if (input)
        tags.push(
          ...input.filter((tag) => !/^\* ?my ?contacts$/i.test(tag)).map((tag) => tag.replace(/^\* /, '')),
        )
      else messages.errors.push(cellError(last.column, 'tags', text, TAGS_ALLOWED))
    }
    const allowed = allowedTags(tags)
    for (const message of allowed.errors)
      messages.errors.push(
        cellError(last?.column ?? 'tags', 'tags', last?.text ?? '', message.replace('a company', 'a person')),
      )
    return allowed.tags
  }

  /** Several companies may have a title each, in the same order. */
  #companies(cells: string[], role: TextCell | undefined): PersonRow['companies'] {
    const names = this.#list('company', cells, VALUE_SEPARATORS).filter(
      ({ text }) => !isPlaceholder(text, 'name'),
    )
    const roles = role?.text.split(VALUE_SEPARATORS).filter(Boolean) ?? []
    const hasOneEach = names.length > 1 && roles.length === names.length
    return names.map(({ text, column }, index) => ({
      name: normalizeName(text).trim(),
      column,
      role: role && hasOneEach ? { ...role, text: roles[index] ?? '' } : index === 0 ? role : undefined,
    }))
  }

  #exported(cells: string[], messages: CellMessages): CompanyLink[] {
    const cell = this.#columns.cell('companies', cells)
    if (!cell) return []
    const value = parseJson(cell.text)
    if (
      Array.isArray(value) &&
      value.every((one) => typeof one?.company_id === 'string' && typeof one.name === 'string')
    )
      return value
    messages.errors.push(
      cellError(cell.column, 'companies', cell.text, 'companies must be the JSON of an export.'),
    )
    return []
  }
}

const locationOf = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(', ') || undefined

function placeholderKind(field: SingleField): PlaceholderKind {
  if (field === 'owner_email') return 'owner'
  if (field === 'headline') return 'prose'
  return field === 'name' || field.endsWith('_name') ? 'name' : 'word'
}

const NAMED_BY_EMAIL = 'The row has no name, so the email address was stored as the name.'
const NO_EMAIL = 'emails must be email addresses, such as ada@example.com.'
