import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/notes.ts'
import { queries } from '#web/api/queries.ts'

/** The name of a company, deal, person, or thesis by its id; undefined until it is loaded. */
export function useRecordName(id = ''): string | undefined {
  const is = (prefix: string) => ({ enabled: id.startsWith(`${prefix}_`) })
  const company = useQuery({ ...queries.company(id), ...is('cmp') }).data
  const deal = useQuery({ ...queries.deal(id), ...is('df') }).data
  const person = useQuery({ ...queries.person(id), ...is('per') }).data
  const thesis = useQuery({ ...queries.thesis(id), ...is('th') }).data
  if (deal) return deal.company_name ? strings.dealWith(deal.company_name) : undefined
  return company?.company.name ?? person?.name ?? thesis?.title
}
