import { MAX_TAGS } from '#src/features/companies/tag-schema.ts'
import type { CustomValues } from '#src/features/custom-fields/schema.ts'
import { countryCodeOf, countryName } from '#src/platform/schema/countries.ts'
import { isExactInteger, parseExactJson } from '#src/platform/schema/exact-json.ts'
import type { ImportField } from './column-names.ts'
import { type ImportColumns, normalizedName } from './columns.ts'
import { parseAmount, parseCount, parseNumber, parseYear } from './numbers.ts'
import { webAddress } from './web-address.ts'

/** Statuses in exports of other tools, and ours. */
const STATUSES: Record<string, string> = {
  operating: 'active',
  operational: 'active',
  open: 'active',
  live: 'active',
  alive: 'active',
  closed: 'inactive',
  dead: 'inactive',
  defunct: 'inactive',
  out_of_business: 'inactive',
  shut_down: 'inactive',
  was_acquired: 'acquired',
  m_a: 'acquired',
  merged: 'acquired',
  ipo: 'public',
  listed: 'public',
}

/** Numbers, words and addresses are shorter. Parsing longer cells could block the event loop. */
const MAX_VALUE_LENGTH = 2000
const MAX_NAMES_LENGTH = 64 * 1024
const MAX_TAGS_LENGTH = 64 * 1024

/** A cell with an invalid value for its field. */
export class CellError extends Error {
  readonly column: string

  constructor(column: string, message: string) {
    super(message)
    this.column = column
  }
}

/** What cells refer to: the ids of theses by code, and the email addresses of users. */
export interface References {
  theses: Map<string, string>
  users: Set<string>
}

export type ImportedFields = { name: string; custom?: CustomValues } & Record<string, unknown>

/**
 * Converts the cells of a row to fields and skips blank cells. The limits of the fields are checked later.
 * @throws CellError if a cell cannot be converted
 */
export function fieldsOf(
  columns: ImportColumns,
  cells: string[],
  { theses, users }: References,
): ImportedFields {
  const fields: Record<string, unknown> = {}
  const read = (
    field: ImportField,
    convert: (text: string) => unknown,
    allowed: string,
    as: string = field,
  ) => {
    const cell = columns.cell(field, cells)
    if (!cell) return
    const value = convert(cell.text)
    if (value === undefined)
      throw new CellError(cell.column, `${as} must be ${allowed}, not "${cell.text.slice(0, 60)}".`)
    if (value !== null) fields[as] = value
  }
  const text = (value: string) => value
  const statusOf = columns.isExport ? text : statusWord
  const amountOf = columns.isExport ? parseNumber : parseAmount

  read('name', text, 'text')
  read('website', short(webAddress), 'a web address')
  read('country', text, 'text')
  read('country_code', short(countryCodeOf), 'a country code or name')
  read('hq_city', text, 'text')
  read('industry_category', text, 'text')
  read('activity_description', text, 'text')
  read('status', short(statusOf), 'a word')
  read('thesis_code', (code) => theses.get(code), 'the code of a thesis', 'thesis_id')
  read('employee_count', short(parseCount), 'a whole number')
  read('founded_year', short(parseYear), 'a year')
  read('revenue_eur', short(amountOf), 'an amount in euros')
  read('llm_score_overall', short(parseCount), 'a whole number from 0 to 100')
  read('llm_score_details', json, 'JSON')
  read('executives', people, 'JSON or names')
  read('financials', json, 'JSON')
  read('tags', tagsIn, `up to ${MAX_TAGS} tags`)
  read('owner_email', (email) => ownerOf(users, email), 'the email address of a user')

  if (typeof fields.country === 'string' && !columns.has('country_code')) {
    const code = short(countryCodeOf)(fields.country)
    if (code) fields.country_code = code
    if (code && fields.country.length <= 3) fields.country = countryName(code) ?? fields.country
  }
  if (!fields.name) throw new CellError(columns.recognized.name?.[0] ?? 'name', 'name is required.')
  return fields as ImportedFields
}

const short =
  <T>(convert: (text: string) => T) =>
  (text: string): T | undefined =>
    text.length > MAX_VALUE_LENGTH ? undefined : convert(text)

function statusWord(text: string): string | undefined {
  const word = normalizedName(text).replaceAll(' ', '_')
  return STATUSES[word] ?? (/^[a-z][a-z0-9_]*$/.test(word) ? word : undefined)
}

const tagsIn = (text: string): string[] | undefined =>
  text.length > MAX_TAGS_LENGTH
    ? undefined
    : text
        .split(/[,;\n]/)
        .map((tag) => tag.trim())
        .filter(Boolean)

function ownerOf(users: Set<string>, text: string): string | undefined {
  const email = text.toLowerCase()
  return users.has(email) ? email : undefined
}

function json(text: string): unknown {
  try {
    const value = parseExactJson(text)
    // Where a list or an object is required, a number is rejected.
    return isExactInteger(value) ? JSON.parse(text) : value
  } catch {
    return undefined
  }
}

/** Parses executives: JSON, or names separated by commas or semicolons. */
function people(text: string): unknown {
  if (text.startsWith('[')) return json(text)
  if (text.length > MAX_NAMES_LENGTH) return undefined
  const names = text.split(/[,;|\n]/).map((name) => name.trim())
  return names.filter(Boolean).map((name) => ({ name }))
}
