import { Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_CUSTOM_LONG_TEXT_LENGTH, MAX_CUSTOM_TEXT_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/fields.ts'
import { formatTypedNumber } from '#web/format/format.ts'
import { parseNumber } from '#web/format/parse-number.ts'
import type { DateFieldProps } from '#web/ui/date-input/date-field.tsx'
import { DateInput } from '#web/ui/date-input/date-input.tsx'
import { SearchableMultiSelect } from '#web/ui/select/searchable-multi-select.tsx'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import { type EditedField, INCOMPLETE, toText } from './custom-values.ts'
import { OwnerField } from './owner-field.tsx'

interface CustomFieldInputProps {
  field: EditedField
  /** The value as `toText` writes it. */
  text: string
  onChange: (text: string) => void
  error?: string | null
  /** Shows the label to assistive technology alone. */
  hideLabel?: boolean
  autoFocus?: boolean
  required?: boolean
  /** Whether the list of choices is open from the start. */
  opensChoices?: boolean
  size?: 'xs' | 'sm'
}

/** The input for a custom field of any type. Its value is text; `toValue` turns it into what the service takes. */
export function CustomFieldInput({
  field,
  text,
  onChange,
  error,
  hideLabel = false,
  autoFocus,
  required,
  opensChoices = false,
  size = 'sm',
}: CustomFieldInputProps) {
  const shared = {
    ...(hideLabel ? { 'aria-label': field.label } : { label: field.label }),
    error,
    size,
    ...(required && { required }),
    ...(autoFocus && { autoFocus, 'data-autofocus': true }),
  }
  const options = field.options.map(({ id, label }) => ({ value: id, label }))
  const dropdown = {
    comboboxProps: { width: 'max-content', position: 'bottom-start' as const },
    styles: { dropdown: { minWidth: '14rem', maxWidth: 'min(24rem, 90vw)' } },
  }
  switch (field.type) {
    case 'long_text':
      return (
        <Textarea
          {...shared}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          maxLength={MAX_CUSTOM_LONG_TEXT_LENGTH}
          autosize
          minRows={3}
          maxRows={16}
          dir="auto"
        />
      )
    case 'number':
    case 'money':
      return <NumberText {...shared} text={text} onChange={onChange} currency={field.currency} />
    case 'date':
      return <DateText {...shared} text={text} onChange={onChange} />
    case 'boolean':
      return (
        <Select
          {...shared}
          {...dropdown}
          data={[
            { value: '', label: strings.none },
            { value: 'true', label: strings.yes },
            { value: 'false', label: strings.no },
          ]}
          value={text}
          onChange={(value) => onChange(value ?? '')}
          allowDeselect={false}
          defaultDropdownOpened={opensChoices}
        />
      )
    case 'select':
      return (
        <SearchableSelect
          {...shared}
          {...dropdown}
          options={[{ value: '', label: strings.none }, ...options]}
          value={text}
          onChange={(value) => onChange(value ?? '')}
          defaultDropdownOpened={opensChoices}
          dir="auto"
        />
      )
    case 'multi_select':
      return (
        <SearchableMultiSelect
          {...shared}
          {...dropdown}
          options={options}
          value={text === '' ? [] : text.split(',')}
          onChange={(ids) => onChange(toText(ids))}
          defaultDropdownOpened={opensChoices}
          placeholder={text === '' ? strings.choose : ''}
          dir="auto"
        />
      )
    case 'user':
      return (
        <OwnerField
          {...shared}
          email={text || null}
          onChange={(email) => onChange(email ?? '')}
          nobody={strings.noPerson}
          defaultDropdownOpened={opensChoices}
          comboboxProps={dropdown.comboboxProps}
        />
      )
    default:
      return (
        <TextInput
          {...shared}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          inputMode={field.type === 'text' ? 'text' : field.type}
          {...(field.type === 'text' && { maxLength: MAX_CUSTOM_TEXT_LENGTH })}
          dir={field.type === 'text' ? 'auto' : 'ltr'}
        />
      )
  }
}

interface NumberTextProps {
  text: string
  onChange: (text: string) => void
  currency: string | null
}

const parseTyped = (typed: string): string => String(parseNumber(typed) ?? typed)
const formatNumberText = (text: string): string =>
  text !== '' && Number.isFinite(Number(text)) ? formatTypedNumber(Number(text), true) : text

/** A number as people type it. A text that comes from elsewhere replaces what was typed. */
function NumberText({ text, onChange, currency, ...shared }: NumberTextProps) {
  const [typed, setTyped] = useState(() => formatNumberText(text))
  return (
    <TextInput
      {...shared}
      inputMode="decimal"
      dir="ltr"
      value={parseTyped(typed) === text ? typed : formatNumberText(text)}
      onChange={(event) => {
        const value = event.currentTarget.value
        setTyped(value)
        onChange(parseTyped(value))
      }}
      onBlur={() => setTyped(formatNumberText(text))}
      {...(currency && { leftSection: currency, leftSectionWidth: 48 })}
    />
  )
}

interface DateTextProps extends Omit<DateFieldProps, 'value' | 'onChange' | 'onInvalid'> {
  text: string
  onChange: (text: string) => void
}

/** A date. While its text is none, the text of the field is `INCOMPLETE`. */
function DateText({ text, onChange, ...shared }: DateTextProps) {
  const [valid, setValid] = useState(text)
  if (text !== INCOMPLETE && text !== valid) setValid(text)
  return (
    <DateInput
      {...shared}
      value={(valid === INCOMPLETE ? '' : valid) || null}
      onChange={(day) => onChange(day ?? '')}
      onInvalid={(problem) => problem !== null && onChange(INCOMPLETE)}
      clearable
    />
  )
}
