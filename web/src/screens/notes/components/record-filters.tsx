import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/notes.ts'
import { queries } from '#web/api/queries.ts'
import { CompanySelect } from '#web/fields/company-select.tsx'
import { PersonSelect } from '#web/fields/person-select.tsx'

interface RecordFiltersProps {
  /** The ids in the address. */
  company: string | undefined
  person: string | undefined
  choose: (name: 'company' | 'person', id: string | undefined) => void
}

const WIDTH = { base: '100%', xs: 200 }

/** Filters notes by a company that they are about, and by a person whom they are about or who took part. */
export function RecordFilters({ company = '', person = '', choose }: RecordFiltersProps) {
  const companyName = useQuery({ ...queries.company(company), enabled: company !== '' }).data?.company.name
  const personName = useQuery({ ...queries.person(person), enabled: person !== '' }).data?.name
  return (
    <>
      <CompanySelect
        aria-label={strings.company}
        placeholder={strings.anyCompany}
        record={company ? { id: company, name: companyName ?? company } : null}
        choose={(record) => choose('company', record?.id)}
        error={null}
        w={WIDTH}
      />
      <PersonSelect
        aria-label={strings.person}
        placeholder={strings.anyPerson}
        record={person ? { id: person, name: personName ?? person } : null}
        choose={(record) => choose('person', record?.id)}
        error={null}
        w={WIDTH}
      />
    </>
  )
}
