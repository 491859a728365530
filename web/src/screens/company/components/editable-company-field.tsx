import type { CompanyPatch } from '#web/api/service.ts'
import {
  EditableRecordField,
  type RecordField,
  type ShownFieldProps,
} from '#web/editing/editable-record-field.tsx'
import type { CompanyRecord } from '../company-fields.ts'
import { useSaveCompany } from '../save-company.ts'

/** How the company shows one of its fields. */
export type CompanyField = ShownFieldProps<CompanyRecord, CompanyPatch>

interface CompanyFieldProps extends CompanyField {
  company: CompanyRecord
}

const draftKeyOf = ({ id }: CompanyRecord): string => `company ${id}`

/** The storage key of the draft of a field. */
export const companyDraftKey = (
  company: CompanyRecord,
  { label }: RecordField<CompanyRecord, CompanyPatch>,
): string => `edit:${draftKeyOf(company)} ${label}`

/** A field of the company, edited in place. */
export function EditableCompanyField({ company, ...field }: CompanyFieldProps) {
  const saveRecord = useSaveCompany(company.id)
  return (
    <EditableRecordField {...field} record={company} draftKey={draftKeyOf(company)} saveRecord={saveRecord} />
  )
}
