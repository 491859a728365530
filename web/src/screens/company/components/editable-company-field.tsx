import type { CompanyPatch } from '#web/api/service.ts'
import { EditableRecordField, type ShownFieldProps } from '#web/editing/editable-record-field.tsx'
import type { CompanyRecord } from '../company-fields.ts'
import { useSaveCompany } from '../save-company.ts'

interface CompanyFieldProps extends ShownFieldProps<CompanyRecord, CompanyPatch> {
  company: CompanyRecord
}

/** A field of the company, edited in place. */
export function EditableCompanyField({ company, ...field }: CompanyFieldProps) {
  const saveRecord = useSaveCompany(company.id)
  return (
    <EditableRecordField
      {...field}
      record={company}
      draftKey={`company ${company.id}`}
      saveRecord={saveRecord}
    />
  )
}
