import { useQuery } from '@tanstack/react-query'
import type { CustomField, CustomFieldEntity } from '#src/client/client.ts'
import { strings } from '#strings/import.ts'
import { formatValue, isEmptyValue } from '#web/activity/field-value.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { formatCustomValue, formatMoney } from '#web/fields/custom-values.ts'
import { formatWord } from '#web/format/format.ts'
import type { HeldType } from './report.ts'

/** Fields and their values as people read them. */
export interface FieldWords {
  labelOf: (field: string) => string
  textOf: (field: string, value: unknown) => string
  /** The currency of a field for amounts. */
  currencyOf: (field: string) => string
  /** A message of the service, with labels in place of the names of fields. */
  messageOf: (message: string) => string
}

/** The records whose custom fields a file fills. */
export const entityOf = (holds: HeldType): CustomFieldEntity => (holds === 'note' ? 'company' : holds)

/**
 * @param newFields the custom fields that the import creates
 * @param holds what the file holds
 */
export function useFieldWords(newFields: readonly CustomField[], holds: HeldType = 'company'): FieldWords {
  const entity = entityOf(holds)
  const existing = useQuery(fieldQueries.customFields(entity)).data ?? []
  const fields: Readonly<Record<string, string>> = strings.fieldsOf[holds]
  const custom = new Map([...newFields, ...existing].map((field) => [`custom.${field.key}`, field]))
  const labelOf = (field: string) =>
    Object.hasOwn(fields, field)
      ? (fields[field] ?? field)
      : (custom.get(field)?.label ?? formatWord(field.replace(/^custom\./, '')))
  return {
    labelOf,
    textOf: (field, value) => {
      const own = custom.get(field)
      if (isEmptyValue(value)) return ''
      // Elsewhere, it is rounded.
      if (field.endsWith('_eur') && typeof value === 'number') return formatMoney(value, 'EUR')
      if (own) return formatCustomValue(own, value)
      if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
      return formatValue(field, value, entity)
    },
    currencyOf: (field) => custom.get(field)?.currency ?? 'EUR',
    messageOf: (message) =>
      withLabels(message, (field) => Object.hasOwn(fields, field) || custom.has(field), labelOf),
  }
}

/** A field at the start of a message, such as `employee_count must be` or `custom.batch (Batch) must be`. */
function withLabels(
  message: string,
  isKnown: (field: string) => boolean,
  labelOf: (field: string) => string,
): string {
  const [start = '', field = ''] =
    message.match(/^((?:custom\.)?[a-z][a-z0-9_]*)(?: \([^)]*\))?(?=[ :])/) ?? []
  return isKnown(field) ? labelOf(field) + message.slice(start.length) : message
}
