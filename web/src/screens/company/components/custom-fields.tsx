import { useQuery } from '@tanstack/react-query'
import { MAX_CUSTOM_LONG_TEXT_LENGTH, MAX_CUSTOM_TEXT_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/fields.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import type { FieldEditor } from '#web/editing/editable-field-input.tsx'
import { CustomFieldInput } from '#web/fields/custom-field-input.tsx'
import { CustomFieldLink, CustomFieldValue } from '#web/fields/custom-field-value.tsx'
import {
  checkText,
  currencySymbol,
  type EditedField,
  formatCustomValue,
  toText,
  toValue,
  withLabel,
} from '#web/fields/custom-values.ts'
import type { CompanyField, CompanyRecord } from '../company-fields.ts'
import { EditableCompanyField } from './editable-company-field.tsx'

/** The custom fields of the company, edited in place like all others. Archived ones are left out. */
export function CustomFields({ company }: { company: CompanyRecord }) {
  const fields = useQuery(fieldQueries.customFields('company'))
  return fields.data
    ?.filter(({ archived }) => !archived)
    .map((field) => {
      const value = company.custom[field.key]
      return (
        <EditableCompanyField
          key={field.id}
          company={company}
          field={customCompanyField(field)}
          display={toText(value) !== '' && <CustomFieldValue field={field} value={value} />}
          format={(text) => formatCustomValue(field, toValue(field, text))}
          aside={<CustomFieldLink field={field} value={value} />}
        />
      )
    })
}

const customCompanyField = (field: EditedField): CompanyField => ({
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
