import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import type { Person } from '#web/api/service.ts'
import { type FoundRecords, RecordSelect, type RecordSelectProps } from './record-select.tsx'

const LIMIT = 10

/** Selects a person by part of their name or email address. */
export const PersonSelect = (props: RecordSelectProps) => (
  <RecordSelect {...props} useSearch={usePersonSearch} />
)

/** The people who match a text, or the newest ones. */
function usePersonSearch(text: string): FoundRecords {
  const { data, isFetching, error } = useQuery({
    ...queries.people({ limit: LIMIT, ...(text && { search: text }) }),
    placeholderData: keepPreviousData,
  })
  const records = (data?.data ?? []).map((person) => ({
    id: person.id,
    name: person.name,
    detail: personSummary(person),
  }))
  return { records, isFetching, error }
}

/** What tells a person from others with the same name. */
export const personSummary = ({ companies: [first], headline, emails }: Person): string =>
  [first && [first.role, first.name].filter(Boolean).join(', '), headline, emails[0]]
    .filter(Boolean)
    .join(' · ')
