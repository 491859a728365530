import type { ReactNode } from 'react'
import { EditableField } from '#web/editing/editable-field.tsx'
import type { CompanyField } from './company-fields.ts'
import { type CompanyRecord, useSaveCompany } from './save-company.ts'

interface CompanyFieldProps {
  company: CompanyRecord
  field: CompanyField
  display?: ReactNode
  aside?: ReactNode
  format?: (value: string) => string
  hideLabel?: boolean
  onEdit?: () => void
}

/** A field of the company, edited in place. */
export function EditableCompanyField({ company, field, ...rest }: CompanyFieldProps) {
  const save = useSaveCompany(company.id)
  return (
    <EditableField
      {...rest}
      label={field.label}
      editor={field.editor}
      value={field.read(company)}
      draftKey={`company ${company.id} ${field.label}`}
      {...(field.check && { check: field.check })}
      save={(text, seen) => save({ changes: field.changes(text), read: field.read, seen })}
    />
  )
}
