import { cellBoolean, cellDate, cellLabels, cellNumber } from '#src/features/companies/custom-cells.ts'
import { type CustomFieldType, MAX_CUSTOM_TEXT_LENGTH } from '#src/features/custom-fields/schema.ts'
import { isWebUrl } from '#src/platform/network/addresses.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { parseAmount } from './numbers.ts'

/** A column with fewer values is not a select. */
const MIN_SELECT_VALUES = 20
const MAX_SELECT_OPTIONS = 50
const MAX_MULTI_SELECT_OPTIONS = 100
const MAX_OPTION_LENGTH = 60
/** How often an option occurs on average. */
const MIN_OPTION_USES = 4

/** The type of a column of cells that are not blank: the most specific one that fits all of them. */
export function guessType(cells: readonly string[]): CustomFieldType {
  if (cells.length === 0) return 'text'
  const all = (isValid: (cell: string) => boolean) => cells.every(isValid)
  if (all((cell) => cellBoolean(cell) !== undefined && !/^\d$/.test(cell))) return 'boolean'
  if (all(isPlainNumber)) return 'number'
  if (all(isEuroAmount)) return 'money'
  if (all((cell) => cellDate(cell) !== undefined)) return 'date'
  if (all(isEmailAddress)) return 'email'
  if (all((cell) => /^https?:\/\//i.test(cell) && isWebUrl(cell))) return 'url'
  if (isMultiSelect(cells)) return 'multi_select'
  if (isSelect(cells, MAX_SELECT_OPTIONS)) return 'select'
  return all((cell) => cell.length <= MAX_CUSTOM_TEXT_LENGTH / 2 && !cell.includes('\n'))
    ? 'text'
    : 'long_text'
}

/** Digits with leading zeros are codes rather than numbers, and those after a plus sign are phone numbers. */
const isPlainNumber = (cell: string): boolean => !/^(-?0\d|\+\d)/.test(cell) && cellNumber(cell) !== undefined

const isEuroAmount = (cell: string): boolean =>
  /€|\beur/i.test(cell) && parseAmount(cell.replace(/^-/, '')) !== undefined

function isSelect(labels: readonly string[], maxOptions: number): boolean {
  const options = new Set(labels)
  return (
    labels.length >= MIN_SELECT_VALUES &&
    options.size <= maxOptions &&
    options.size * MIN_OPTION_USES <= labels.length &&
    [...options].every(({ length }) => length <= MAX_OPTION_LENGTH)
  )
}

function isMultiSelect(cells: readonly string[]): boolean {
  const lists = cells.map(cellLabels)
  const hasSeveral = lists.filter(({ length }) => length > 1).length * 4 >= cells.length
  return hasSeveral && isSelect(lists.flat(), MAX_MULTI_SELECT_OPTIONS)
}
