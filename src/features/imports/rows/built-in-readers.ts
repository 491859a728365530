import type { UserReferences } from '#src/features/users/index.ts'
import { isWebUrl } from '#src/platform/network/addresses.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { PLAIN_NUMBER } from '#src/platform/schema/numerals.ts'
import { readAmount } from '../cells/amounts.ts'
import { countryCode } from '../cells/country-codes.ts'
import { readCount } from '../cells/counts.ts'
import { readUser } from '../cells/owners.ts'
import { parseJson, parsePeople } from '../cells/people.ts'
import type { PlaceholderKind } from '../cells/placeholders.ts'
import type { Reading } from '../cells/reading.ts'
import { readStatus } from '../cells/statuses.ts'
import { readWebAddress } from '../cells/web-address.ts'
import { readYear } from '../cells/years.ts'
import type { ImportField } from '../columns/column-names.ts'
import { type ColumnFormats, formatKey } from '../formats/column-formats.ts'

/** What cells refer to. */
export interface References {
  /** The ids of theses by code. */
  theses: ReadonlyMap<string, string>
  users: UserReferences
}

/** Reads the text of a cell that is neither blank nor a placeholder. */
export type ReadCell = (text: string, index: number) => Reading

/** The fields that are read one cell at a time; tags are read from all their columns. */
export type CellField = Exclude<ImportField, 'tags'>

const asText: ReadCell = (text) => ({ value: text })
const asName: ReadCell = (text) => ({ value: normalizeName(text).trim() })

const readCountryCode: ReadCell = (text) => {
  const value = countryCode(text)
  return value ? { value } : { error: 'country_code must be a country code or name, such as DE or Germany.' }
}

const json =
  (field: CellField): ReadCell =>
  (text) => {
    const value = parseJson(text)
    return value === undefined ? { error: `${field} must be JSON.` } : { value }
  }

const readPeople: ReadCell = (text) => {
  const value = parsePeople(text)
  return value === undefined ? { error: 'executives must be JSON or a list of names.' } : { value }
}

/** Fields that need neither formats nor references. */
const PLAIN_READERS = {
  name: asName,
  website: (text) => readWebAddress(text, 'website'),
  country: asText,
  country_code: readCountryCode,
  hq_city: asText,
  industry_category: asText,
  activity_description: asText,
  status: (text) => readStatus(text, 'status'),
  founded_year: (text) => readYear(text, 'founded_year'),
  llm_score_details: json('llm_score_details'),
  financials: json('financials'),
  executives: readPeople,
} as const satisfies Partial<Record<CellField, ReadCell>>

export type IdentityField = 'name' | 'website' | 'country' | 'country_code' | 'hq_city'

/** @param isExport whether this service wrote the file, so that its values are read as they are */
export const identityReaders = (isExport: boolean): Record<IdentityField, ReadCell> => ({
  name: PLAIN_READERS.name,
  website: isExport
    ? (text) => (isWebUrl(text) ? { value: text } : PLAIN_READERS.website(text))
    : PLAIN_READERS.website,
  country: asText,
  country_code: readCountryCode,
  hq_city: asText,
})

/** How the cells of each field are read. */
export function builtInReaders(
  isExport: boolean,
  formats: ColumnFormats,
  { theses, users }: References,
): Record<CellField, ReadCell> {
  const count =
    (field: CellField): ReadCell =>
    (text, index) =>
      readCount(text, formats.counts.get(formatKey(field, index)) ?? UNSURVEYED_COUNT, field)
  const readers: Record<CellField, ReadCell> = {
    ...PLAIN_READERS,
    ...identityReaders(isExport),
    employee_count: count('employee_count'),
    llm_score_overall: count('llm_score_overall'),
    revenue_eur: (text, index) =>
      readAmount(
        text,
        formats.amounts.get(formatKey('revenue_eur', index)) ?? UNSURVEYED_AMOUNT,
        'revenue_eur',
      ),
    thesis_code: (text) => {
      const value = theses.get(text) ?? theses.get(normalizeName(text))
      return value ? { value } : { error: 'thesis_code must be the code of a thesis.' }
    },
    owner_email: (text) => readUser(text, users, 'owner_email'),
  }
  return isExport ? { ...readers, status: asText, founded_year: asNumber(readers.founded_year) } : readers
}

const asNumber =
  (other: ReadCell): ReadCell =>
  (text, index) =>
    PLAIN_NUMBER.test(text) ? { value: Number(text) } : other(text, index)

const UNSURVEYED_COUNT = { decimal: null, factor: 1, hasPlainNumbers: false }
const UNSURVEYED_AMOUNT = {
  ...UNSURVEYED_COUNT,
  ...{ currency: 'EUR', signCurrency: null, stored: 'EUR', rates: {}, isUnitKnown: true },
}

/** Where placeholders are told from texts by stricter rules. */
export function placeholderKindOf(field: ImportField): PlaceholderKind {
  if (field === 'name') return 'name'
  if (field === 'owner_email') return 'owner'
  return field === 'activity_description' ? 'prose' : 'word'
}
