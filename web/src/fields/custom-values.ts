import type { CustomField } from '#src/client/client.ts'
import { strings } from '#strings/fields.ts'
import { formatDate, formatNumber } from '#web/format/format.ts'
import { withProtocol } from '#web/format/web-address.ts'

/** The parts of a custom field that its editors need. */
export type EditedField = Pick<CustomField, 'key' | 'label' | 'type' | 'options' | 'currency'>

/** Stands for a date that is only partly typed. */
export const INCOMPLETE = 'incomplete'

/** Returns the problem with a text before it is sent, or null. The service checks everything else. */
export const checkText = (text: string): string | null =>
  text === INCOMPLETE ? strings.incompleteDate : null

/** The problem with the text of a new record, or null. */
export const checkNewText = (
  { label, required }: Pick<CustomField, 'label' | 'required'>,
  text: string,
): string | null => (required && text.trim() === '' ? strings.required(label) : checkText(text))

/** Whether a message of the service is about the field with a name, such as `custom.batch`. */
export const isAbout = (name: string, message: string): boolean =>
  new RegExp(`^${RegExp.escape(name)}(?!\\w)`).test(message)

/** The value as the text that editors work with: ids of options, separated by commas; '' for no value. */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Reverses `toText`. Text of another type is returned unchanged, so that the service rejects it by field name. */
export function toValue({ type }: Pick<CustomField, 'type'>, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  switch (type) {
    case 'number':
    case 'money':
      return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
    case 'boolean':
      return trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed
    case 'multi_select':
      return trimmed.split(',')
    case 'url':
      return withProtocol(trimmed)
    default:
      return trimmed
  }
}

const labelOf = ({ options }: EditedField, id: string): string =>
  options.find((option) => option.id === id)?.label ?? id

/** The labels of the options that a value names. */
export const optionLabels = (field: EditedField, value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((id) => labelOf(field, String(id)))

/** The symbol of a currency, such as €. */
export const currencySymbol = (currency: string | null): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: currency ?? 'EUR',
    currencyDisplay: 'narrowSymbol',
  })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? ''

/** An amount in the currency of the field. */
export const formatMoney = (amount: number, currency: string | null): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: currency ?? 'EUR',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  }).format(amount)

/** A value as readable text; '' for no value. */
export function formatCustomValue(field: EditedField, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  switch (field.type) {
    case 'number':
      return typeof value === 'number' ? formatNumber(value) : String(value)
    case 'money':
      return typeof value === 'number' ? formatMoney(value, field.currency) : String(value)
    case 'boolean':
      return value === true ? strings.yes : value === false ? strings.no : String(value)
    case 'date':
      return isDay(value) ? formatDate(String(value)) : String(value)
    case 'select':
    case 'multi_select':
      return optionLabels(field, value).join(', ')
    default:
      return String(value)
  }
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))

/** A message of the service with the label of the field in place of its key. */
export function withLabel({ key, label }: Pick<CustomField, 'key' | 'label'>, message: string): string {
  const name = `custom.${key}`
  const start = message.indexOf(name)
  const isWholeName = start >= 0 && !/^\w/.test(message.slice(start + name.length))
  if (!isWholeName) return message
  return message
    .replace(`${name} (${label})`, label)
    .replace(name, label)
    .replace(/ or null(?=, not )/, '')
}
