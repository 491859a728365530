import type { ReactNode } from 'react'
import { InvalidRequest } from '#src/client/errors.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { EditableField } from './editable-field.tsx'
import type { FieldEditor } from './editable-field-input.tsx'
import type { RecordChange } from './use-save-record.ts'

/** A field of a record: its editor, and how an edit changes the record. */
export interface RecordField<R, C> {
  label: string
  editor: FieldEditor
  /** In the form that the editor uses. */
  read: (record: R) => string
  changes: (text: string) => C
  check?: (text: string) => string | null
  /** Rewrites a message of the service about the field. */
  explain?: (message: string) => string
}

/** How a record shows one of its fields. */
export interface ShownFieldProps<R, C> {
  field: RecordField<R, C>
  display?: ReactNode
  aside?: ReactNode
  format?: (value: string) => string
  hideLabel?: boolean
  onEdit?: () => void
  opensAtOnce?: boolean
}

interface EditableRecordFieldProps<R, C> extends ShownFieldProps<R, C> {
  record: R
  /** Begins the storage key of the draft. */
  draftKey: string
  saveRecord: (change: RecordChange<R, C>) => Promise<unknown>
}

/** A field of a record, edited in place. */
export function EditableRecordField<R, C>(props: EditableRecordFieldProps<R, C>) {
  const { record, draftKey, saveRecord, field, ...rest } = props
  const save = async (text: string, seen: string) => {
    try {
      await saveRecord({ changes: field.changes(text), read: field.read, seen })
    } catch (error) {
      if (!field.explain || !(error instanceof InvalidRequest)) throw error
      throw new UserFacingError(field.explain(error.details))
    }
  }
  return (
    <EditableField
      {...rest}
      label={field.label}
      editor={field.editor}
      value={field.read(record)}
      draftKey={`${draftKey} ${field.label}`}
      {...(field.check && { check: field.check })}
      save={save}
    />
  )
}
