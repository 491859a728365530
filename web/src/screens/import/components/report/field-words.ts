import { useQuery } from '@tanstack/react-query'
import type { CustomField } from '#src/client/client.ts'
import { strings } from '#strings/import.ts'
import { formatValue, isEmptyValue } from '#web/activity/field-value.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { formatCustomValue, formatMoney } from '#web/fields/custom-values.ts'
import { formatWord } from '#web/format/format.ts'

/** Fields and their values as people read them. */
export interface FieldWords {
  labelOf: (field: string) => string
  textOf: (field: string, value: unknown) => string
  /** The currency of a field for amounts. */
  currencyOf: (field: string) => string
  /** A message of the service, with labels in place of the names of fields. */
  messageOf: (message: string) => string
}

/** @param newFields the custom fields that the import creates */
export function useFieldWords(newFields: readonly CustomField[]): FieldWords {
  const existing = useQuery(fieldQueries.customFields('company')).data ?? []
  const custom = new Map([...newFields, ...existing].map((field) => [`custom.${field.key}`, field]))
  const labelOf = (field: string) =>
    field in strings.fields
      ? strings.fields[field as keyof typeof strings.fields]
      : (custom.get(field)?.label ?? formatWord(field.replace(/^custom\./, '')))
  return {
    labelOf,
    textOf: (field, value) => {
      const own = custom.get(field)
      if (isEmptyValue(value)) return ''
      // Elsewhere, it is rounded.
      if (field === 'revenue_eur' && typeof value === 'number') return formatMoney(value, 'EUR')
      if (own) return formatCustomValue(own, value)
      if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
      return formatValue(field, value, 'company')
    },
    currencyOf: (field) => custom.get(field)?.currency ?? 'EUR',
    messageOf: (message) => withLabels(message, custom, labelOf),
  }
}

/** A field at the start of a message, such as `employee_count must be` or `custom.batch (Batch) must be`. */
function withLabels(
  message: string,
  custom: ReadonlyMap<string, CustomField>,
  labelOf: (field: string) => string,
): string {
  const [start = '', field = ''] =
    message.match(/^((?:custom\.)?[a-z][a-z0-9_]*)(?: \([^)]*\))?(?=[ :])/) ?? []
  const isField = field in strings.fields || custom.has(field)
  return isField ? labelOf(field) + message.slice(start.length) : message
}
