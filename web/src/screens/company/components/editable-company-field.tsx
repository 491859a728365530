import type { ReactNode } from 'react'
import { InvalidRequest } from '#src/client/errors.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { EditableField } from '#web/editing/editable-field.tsx'
import type { CompanyField, CompanyRecord } from '../company-fields.ts'
import { useSaveCompany } from '../save-company.ts'

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
  const saveCompany = useSaveCompany(company.id)
  const save = async (text: string, seen: string) => {
    try {
      await saveCompany({ changes: field.changes(text), read: field.read, seen })
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
      value={field.read(company)}
      draftKey={`company ${company.id} ${field.label}`}
      {...(field.check && { check: field.check })}
      save={save}
    />
  )
}
