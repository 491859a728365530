import type { QueryClient } from '@tanstack/react-query'
import type { Company, CompanyDetail, CompanyPerson, Page, Person } from '#web/api/service.ts'

/** The pages of the list and of semantic search that this tab has loaded. */
export const LISTS = [
  ['companies', 'list'],
  ['companies', 'search'],
]

/**
 * Puts values into the lists and pages of companies that this tab has loaded.
 * @param read the values of a company as it is shown
 * @returns the values before, by company
 */
export function putCompanyValues(
  queryClient: QueryClient,
  ids: readonly string[],
  read: (company: Company) => Partial<Company>,
): Map<string, Partial<Company>> {
  const wanted = new Set(ids)
  const before = new Map<string, Partial<Company>>()
  const withValues = <T extends Company>(company: T): T => {
    if (!wanted.has(company.id)) return company
    const values = read(company)
    const keys = Object.keys(values) as (keyof Company)[]
    before.set(company.id, Object.fromEntries(keys.map((key) => [key, company[key]])))
    return { ...company, ...values }
  }
  for (const queryKey of LISTS)
    queryClient.setQueriesData<Page<Company>>(
      { queryKey },
      (page) => page && { ...page, data: page.data.map(withValues) },
    )
  for (const id of wanted)
    queryClient.setQueryData<CompanyDetail>(
      ['companies', 'one', id],
      (detail) => detail && { ...detail, company: withValues(detail.company) },
    )
  return before
}

/**
 * Puts a saved company into everything that this tab has loaded, and cancels older responses that are still on their
 * way.
 */
export async function putSavedCompany(queryClient: QueryClient, company: Company): Promise<void> {
  const isLoaded = { predicate: ({ state }: { state: { data: unknown } }) => state.data !== undefined }
  await Promise.all(LISTS.map((queryKey) => queryClient.cancelQueries({ queryKey, ...isLoaded })))
  putCompanyValues(queryClient, [company.id], () => company)
}

/** The name of a company, if this tab has loaded the company or a person who is linked to it. */
export function cachedCompanyName(queryClient: QueryClient, id: string): string | undefined {
  const detail = queryClient.getQueryData<CompanyDetail>(['companies', 'one', id])
  if (detail) return detail.company.name
  const people = queryClient.getQueriesData<Person>({ queryKey: ['people', 'one'] })
  const links = people.flatMap(([, person]) => person?.companies ?? [])
  return links.find(({ company_id }) => company_id === id)?.name
}

/** The name of a person, if this tab has loaded the person or a list of people with them. */
export function cachedPersonName(queryClient: QueryClient, id: string): string | undefined {
  const one = queryClient.getQueryData<Person>(['people', 'one', id])
  if (one) return one.name
  const lists = queryClient.getQueriesData<Page<Person | CompanyPerson> | Person[]>({
    predicate: ({ queryKey: [resource, part] }) => resource === 'people' && part !== 'one',
  })
  const people = lists.flatMap(([, page]) => (Array.isArray(page) ? page : (page?.data ?? [])))
  return people.find((person) => person.id === id)?.name
}
