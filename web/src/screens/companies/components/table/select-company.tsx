import { SelectRecord, type SetSelected } from '#web/lists/select-record.tsx'
import { useIsSelected } from '../../selection.ts'

interface SelectCompanyProps {
  company: { id: string; name: string }
  setSelected: SetSelected
}

/** The checkbox of a company. */
export const SelectCompany = ({ company, setSelected }: SelectCompanyProps) => (
  <SelectRecord record={company} isSelected={useIsSelected(company.id)} setSelected={setSelected} />
)
