import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import { formatLocation } from '#web/format/countries.ts'
import { type FoundRecords, RecordSelect, type RecordSelectProps } from './record-select.tsx'

/** How many companies a search offers. */
const LIMIT = 10

/** Selects a company by part of its name. */
export const CompanySelect = (props: RecordSelectProps) => (
  <RecordSelect {...props} useSearch={useCompanySearch} />
)

/** The companies that match a text, or the newest ones. */
export function useCompanySearch(text: string): FoundRecords {
  const { data, isFetching, error } = useQuery({
    ...queries.companies({ limit: LIMIT, ...(text && { search: text }) }),
    placeholderData: keepPreviousData,
  })
  const records = (data?.data ?? []).map((company) => ({
    id: company.id,
    name: company.name,
    detail: [company.industry_category, company.hq_city, formatLocation(company)].filter(Boolean).join(' · '),
  }))
  return { records, isFetching, error }
}
