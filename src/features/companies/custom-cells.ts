import type { CustomField, FieldOption } from '#src/features/custom-fields/schema.ts'
import { optionOf } from '#src/features/custom-fields/store.ts'
import { isDate } from '#src/platform/schema/formats.ts'
import { parseAmount } from './import/numbers.ts'
import { webAddress } from './import/web-address.ts'

/** A custom value as the cell of a CSV file: options by their labels. `parseCustomCell` reverses it. */
export function customCell(field: CustomField, value: unknown): unknown {
  if (value === undefined) return undefined
  if (field.type === 'select') return labelOf(field, value)
  // The CSV writer would leave false blank.
  if (field.type === 'boolean') return String(value)
  if (field.type !== 'multi_select') return value
  const labels = (value as unknown[]).map((id) => labelOf(field, id))
  return labels.some((label) => /[;|]|^\[/.test(label)) ? JSON.stringify(labels) : labels.join('; ')
}

const labelOf = ({ options }: { options: FieldOption[] }, id: unknown): string =>
  options.find((option) => option.id === id)?.label ?? String(id)

/** The labels in the cell of a multi_select: a JSON array, or separated by semicolons or vertical bars. */
export function cellLabels(text: string): string[] {
  if (text.startsWith('[')) {
    const labels = jsonTexts(text)
    if (labels) return labels
  }
  return text
    .split(/[;|]/)
    .map((label) => label.trim())
    .filter(Boolean)
}

function jsonTexts(text: string): string[] | undefined {
  try {
    const labels: unknown = JSON.parse(text)
    return Array.isArray(labels) && labels.every((label) => typeof label === 'string') ? labels : undefined
  } catch {
    return undefined
  }
}

const NUMBER = /^[+-]?\d{1,16}(\.\d{1,400})?(e[+-]?\d{1,3})?$/i
const GROUPED_NUMBER = /^[+-]?\d{1,3}([,'’\s]\d{3})+(\.\d+)?$/

/** Parses a number, with or without thousands separators. */
export function cellNumber(text: string): number | undefined {
  if (NUMBER.test(text)) return Number(text)
  return GROUPED_NUMBER.test(text) ? Number(text.replace(/[,'’\s]/g, '')) : undefined
}

function cellAmount(text: string): number | undefined {
  const isNegative = text.startsWith('-')
  const amount = parseAmount(isNegative ? text.slice(1).trim() : text)
  return amount === undefined ? undefined : isNegative ? -amount : amount
}

/** Parses a day: 2026-03-31, 2026/3/31, 31.03.2026, or the day of a time. */
export function cellDate(text: string): string | undefined {
  const [, year, month, day] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\d{1,2}:.*)?$/.exec(text) ??
    reordered(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)) ??
    []
  if (!year || !month || !day) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

const reordered = (match: RegExpExecArray | null) => match && [match[0], match[3], match[2], match[1]]

const BOOLEANS: Record<string, boolean> = {
  ...{ true: true, yes: true, y: true, '1': true, x: true },
  ...{ false: false, no: false, n: false, '0': false },
}

export const cellBoolean = (text: string): boolean | undefined =>
  Object.hasOwn(BOOLEANS, text.toLowerCase()) ? BOOLEANS[text.toLowerCase()] : undefined

/**
 * The value of a cell that is not blank, for `parseCustomValue` to check; undefined if it is not one of the field.
 * @param isExport whether this service wrote the cell
 */
export function parseCustomCell(field: CustomField, text: string, isExport: boolean): unknown {
  switch (field.type) {
    case 'number':
      return cellNumber(text)
    case 'money':
      return isExport ? cellNumber(text) : cellAmount(text)
    case 'date':
      return cellDate(text)
    case 'boolean':
      return cellBoolean(text)
    case 'url':
      return webAddress(text)
    case 'select':
      return optionOf(field, text)?.id
    case 'multi_select':
      return cellLabels(text)
    default:
      return text
  }
}
