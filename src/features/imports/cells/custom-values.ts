import {
  allowedValues,
  type CustomField,
  customName,
  exportedLabels,
  optionOf,
  parseCustomValue,
} from '#src/features/fields/index.ts'
import type { UserReferences } from '#src/features/users/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { type AmountFormat, readAmount } from './amounts.ts'
import { parseBoolean } from './booleans.ts'
import { type DateFormat, readDate } from './dates.ts'
import { emailAddressesIn } from './email-addresses.ts'
import { readUser } from './owners.ts'
import { MAX_VALUE_LENGTH, type Reading } from './reading.ts'
import { parseList } from './value-list.ts'
import { readWebAddress } from './web-address.ts'

/** What the cells of a custom field's column are read with. */
export interface CustomCellFormat {
  /** Whether this service wrote the file. */
  isExport: boolean
  amounts: AmountFormat
  dates: DateFormat
  users: UserReferences
}

/** The labels in the cell of a multi_select. A cell that is the label of an option is one label. */
export function labelsIn(field: Pick<CustomField, 'options'>, text: string, isExport: boolean): string[] {
  if (isExport) return exportedLabels(text)
  return optionOf(field, text) ? [text] : (parseList(text) ?? [])
}

/** Reads the text of a cell that is neither blank nor a placeholder, as its field stores it. */
export function readCustomCell(field: CustomField, text: string, format: CustomCellFormat): Reading {
  const reading = read(field, text, format)
  if (reading.value === undefined) return reading
  const value = stored(field, reading.value)
  return value === undefined ? { error: notAllowed(field) } : { ...reading, value }
}

function read(
  field: CustomField,
  text: string,
  { isExport, amounts, dates, users }: CustomCellFormat,
): Reading {
  const name = customName(field.key)
  switch (field.type) {
    case 'number':
    case 'money':
      return readAmount(text, amounts, name)
    case 'date':
      return readDate(text, dates, name)
    case 'boolean':
      return valueOr(parseBoolean(text), field)
    case 'url':
      return isExport ? { value: text } : readWebAddress(text, name)
    case 'email':
      return readEmail(text)
    case 'user':
      return readUser(text, users, name)
    case 'select':
      return valueOr(optionOf(field, text)?.id, field)
    case 'multi_select':
      return readLabels(field, text, isExport)
    default:
      return { value: text }
  }
}

const valueOr = (value: unknown, field: CustomField): Reading =>
  value === undefined ? { error: notAllowed(field) } : { value }

/** The options in the cell. Labels without an option are errors, the others are stored. */
function readLabels(field: CustomField, text: string, isExport: boolean): Reading {
  const options = labelsIn(field, text, isExport).map((label) => optionOf(field, label)?.id)
  const known = options.filter((id) => id !== undefined)
  if (known.length === 0) return { error: notAllowed(field) }
  return known.length === options.length
    ? { value: known }
    : { value: known, error: `${notAllowed(field)} The other values were stored.` }
}

/** The value as it is stored; undefined: the field does not allow it. */
function stored(field: CustomField, value: unknown): unknown {
  try {
    return parseCustomValue(field, value)
  } catch (error) {
    if (error instanceof InvalidInput) return undefined
    throw error
  }
}

function readEmail(text: string): Reading<string> {
  const value = addressIn(text)
  const isWhole = value === text || value === text.toLowerCase().replace(/^mailto:/, '')
  return isWhole ? { value } : { value, note: 'Only the email address in the cell was stored.' }
}

/** The one address in "Ada <ada@example.com>" or "mailto:ada@example.com"; else the text. */
function addressIn(text: string): string {
  if (isEmailAddress(text) || text.length > MAX_VALUE_LENGTH) return text
  const [address, ...others] = emailAddressesIn(text)
  return address && others.length === 0 ? address : text
}

export const notAllowed = (field: CustomField): string =>
  `${customName(field.key)} must be ${allowedValues(field)}.`
