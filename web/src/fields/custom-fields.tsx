import { useQuery } from '@tanstack/react-query'
import type { CustomFieldEntity } from '#src/client/client.ts'
import { MAX_CUSTOM_LONG_TEXT_LENGTH, MAX_CUSTOM_TEXT_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/fields.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import type { FieldEditor } from '#web/editing/editable-field-input.tsx'
import type { RecordField, ShownFieldProps } from '#web/editing/editable-record-field.tsx'
import { CustomFieldInput } from './custom-field-input.tsx'
import { CustomFieldLink, CustomFieldValue } from './custom-field-value.tsx'
import {
  checkText,
  currencySymbol,
  type EditedField,
  formatCustomValue,
  toText,
  toValue,
  withLabel,
} from './custom-values.ts'

interface WithCustom {
  custom: Record<string, unknown>
}

/** The custom fields of a record, edited in place like all others. Archived ones are left out. */
export function useCustomFields<R extends WithCustom>(
  entity: CustomFieldEntity,
  record: R,
): ({ key: string } & ShownFieldProps<WithCustom, WithCustom>)[] {
  const fields = useQuery(fieldQueries.customFields(entity))
  return (fields.data ?? [])
    .filter(({ archived }) => !archived)
    .map((field) => {
      const value = record.custom[field.key]
      return {
        key: field.id,
        field: customRecordField(field),
        display: toText(value) !== '' && <CustomFieldValue field={field} value={value} />,
        format: (text) => formatCustomValue(field, toValue(field, text)),
        aside: <CustomFieldLink field={field} value={value} />,
      }
    })
}

const customRecordField = (field: EditedField): RecordField<WithCustom, WithCustom> => ({
  label: field.label,
  editor: editorOf(field),
  read: ({ custom }) => toText(custom[field.key]),
  changes: (text) => ({ custom: { [field.key]: toValue(field, text) } }),
  check: checkText,
  explain: (message) => withLabel(field, message),
})

function editorOf(field: EditedField): FieldEditor {
  switch (field.type) {
    case 'text':
      return { kind: 'text', maxLength: MAX_CUSTOM_TEXT_LENGTH }
    case 'long_text':
      return { kind: 'multiline', maxLength: MAX_CUSTOM_LONG_TEXT_LENGTH }
    case 'number':
      return { kind: 'number', grouped: true, decimals: 10 }
    case 'money':
      return { kind: 'number', grouped: true, decimals: 2, prefix: currencySymbol(field.currency) }
    case 'url':
    case 'email':
      return { kind: 'text' }
    case 'boolean':
      return {
        kind: 'select',
        options: [
          { value: 'true', label: strings.yes },
          { value: 'false', label: strings.no },
        ],
      }
    case 'select':
      return { kind: 'select', options: field.options.map(({ id, label }) => ({ value: id, label })) }
    default:
      return { kind: 'rendered', render: renderedEditor(field) }
  }
}

/** Choosing a person saves; dates and multiple choices are saved with Enter or on leaving. */
const renderedEditor =
  (field: EditedField): Extract<FieldEditor, { kind: 'rendered' }>['render'] =>
  ({ text, error, takesFocus, onType, commit }) => (
    <CustomFieldInput
      field={field}
      text={text}
      error={error}
      onChange={field.type === 'user' ? commit : onType}
      hideLabel
      autoFocus={takesFocus}
      opensChoices={takesFocus}
    />
  )
