import { isWebAddress } from '#src/platform/network/addresses.ts'
import { countryCodeOf, countryName } from '#src/platform/schema/countries.ts'
import { type ImportColumns, type ImportField, normalizedName } from './columns.ts'
import { parseAmount, parseCount, parseNumber, parseYear } from './numbers.ts'

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

/** A cell with an invalid value for its field. */
export class CellError extends Error {
  readonly column: string

  constructor(column: string, message: string) {
    super(message)
    this.column = column
  }
}

export type ImportedFields = { name: string } & Record<string, unknown>

/**
 * Converts the cells of a row to fields and skips blank cells. The limits of the fields are checked later.
 * @throws CellError if a cell cannot be converted
 */
export function fieldsOf(
  columns: ImportColumns,
  cells: string[],
  theses: Map<string, string>,
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

  read('name', text, 'text')
  read('website', webAddress, 'a web address')
  read('country', text, 'text')
  read('country_code', countryCodeOf, 'a country code or name')
  read('hq_city', text, 'text')
  read('industry_category', text, 'text')
  read('activity_description', text, 'text')
  read('status', columns.isExport ? text : statusWord, 'a word')
  read('thesis_code', (code) => theses.get(code), 'the code of a thesis', 'thesis_id')
  read('employee_count', parseCount, 'a whole number')
  read('founded_year', parseYear, 'a year')
  read('revenue_eur', columns.isExport ? parseNumber : parseAmount, 'an amount in euros')
  read('llm_score_overall', parseCount, 'a whole number from 0 to 100')
  read('llm_score_details', json, 'JSON')
  read('executives', people, 'JSON or names')
  read('financials', json, 'JSON')

  if (typeof fields.country === 'string' && !columns.has('country_code')) {
    const code = countryCodeOf(fields.country)
    if (code) fields.country_code = code
    if (code && fields.country.length <= 3) fields.country = countryName(code) ?? fields.country
  }
  if (!fields.name) throw new CellError(columns.recognized.name?.[0] ?? 'name', 'name is required.')
  return fields as ImportedFields
}

/** Adds a missing scheme. Returns null for a bare scheme, which some exports write for an empty field. */
function webAddress(text: string): string | null | undefined {
  if (/^https?:\/*$/i.test(text)) return null
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return isWebAddress(text) ? text : undefined
  const address = `https://${text}`
  return isWebAddress(address) && new URL(address).hostname.includes('.') ? address : undefined
}

function statusWord(text: string): string | undefined {
  const word = normalizedName(text).replaceAll(' ', '_')
  return STATUSES[word] ?? (/^[a-z][a-z0-9_]*$/.test(word) ? word : undefined)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses executives: JSON, or names separated by commas or semicolons. */
function people(text: string): unknown {
  if (text.startsWith('[')) return json(text)
  const names = text.split(/[,;|\n]/).map((name) => name.trim())
  return names.filter(Boolean).map((name) => ({ name }))
}
