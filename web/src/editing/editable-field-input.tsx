import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { strings } from '#strings/editable-field.ts'
import { formatTypedNumber } from '#web/format/format.ts'
import { parseNumber } from '#web/format/parse-number.ts'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import type { CreateOption } from '#web/ui/select/use-typed-choice.ts'
import classes from './editable-field.module.css'

export interface FieldOption {
  value: string
  label: string
}

/** The props of a `rendered` editor. */
interface RenderedEditorProps {
  text: string
  error: string | null
  takesFocus: boolean
  onType: (text: string) => void
  /** Saves a text, or what was typed. */
  commit: (text?: string) => void
}

/** How a value is edited. With `create`, a select also accepts values that are not options yet. */
export type FieldEditor =
  | { kind: 'text'; maxLength?: number; placeholder?: string }
  /** `rows` at first. */
  | { kind: 'multiline'; maxLength?: number; rows?: number; description?: string }
  | { kind: 'number'; decimals?: number; grouped?: boolean; prefix?: string }
  | {
      kind: 'select'
      options: FieldOption[]
      isRequired?: boolean
      create?: CreateOption
      maxLength?: number
    }
  | { kind: 'rendered'; render: (props: RenderedEditorProps) => ReactNode }

interface InputProps {
  label: string
  editor: FieldEditor
  text: string
  error: string | null
  takesFocus: boolean
  onType: (text: string) => void
  commit: (text?: string) => void
}

const isNumber = (text: string) => text !== '' && Number.isFinite(Number(text))

/** The input of an editable field. */
export function EditableFieldInput({ label, editor, text, error, takesFocus, onType, commit }: InputProps) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    input.current?.focus()
    if (input.current?.tagName === 'INPUT') input.current.select()
    else input.current?.setSelectionRange(input.current.value.length, input.current.value.length)
  }, [takesFocus])
  const shared = {
    ref: input,
    'aria-label': label,
    error,
    size: 'sm',
    dir: 'auto',
    classNames: { input: classes.input },
  } as const
  if (editor.kind === 'rendered') return editor.render({ text, error, takesFocus, onType, commit })
  if (editor.kind === 'multiline')
    return (
      <Textarea
        {...shared}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        {...(editor.maxLength && { maxLength: editor.maxLength })}
        autosize
        minRows={editor.rows ?? 4}
        {...(editor.description && { description: editor.description })}
        maxRows={24}
      />
    )
  if (editor.kind === 'number')
    return (
      <TextInput
        {...shared}
        dir="ltr"
        inputMode="decimal"
        defaultValue={isNumber(text) ? formatTypedNumber(Number(text), editor.grouped) : text}
        onChange={(event) => {
          const typed = event.currentTarget.value
          onType(String(parseNumber(typed) ?? typed))
        }}
        {...(editor.prefix && { leftSection: editor.prefix })}
      />
    )
  if (editor.kind === 'select') {
    const none = { value: '', label: strings.noneOption }
    const isKnown = text === '' || editor.options.some(({ value }) => value === text)
    const options = isKnown ? editor.options : [...editor.options, { value: text, label: text }]
    return (
      <SearchableSelect
        {...shared}
        options={editor.isRequired ? options : [none, ...options]}
        value={text}
        onChange={(value) => commit(value ?? text)}
        onOptionSubmit={(value) => value === text && commit(value)}
        {...(editor.create && { create: editor.create })}
        {...(editor.maxLength && { maxLength: editor.maxLength })}
        defaultDropdownOpened={takesFocus}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        styles={{ dropdown: { minWidth: '14rem', maxWidth: 'min(24rem, 90vw)' } }}
      />
    )
  }
  return (
    <TextInput
      {...shared}
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
      {...(editor.maxLength && { maxLength: editor.maxLength })}
      {...(editor.placeholder && { placeholder: editor.placeholder })}
    />
  )
}
