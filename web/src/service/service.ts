import { type Client, type ClientOptions, createClient } from '#src/client/client.ts'
import { connection } from './connection.ts'
import { developmentUser } from './development-user.ts'

const clientOptions: ClientOptions = {
  baseUrl: location.origin,
  fetch: async (address, request) => {
    try {
      const response = await fetch(address, withUser(request))
      connection.set({ isReachable: true })
      return response
    } catch (error) {
      const isCanceled = error instanceof DOMException && error.name === 'AbortError'
      if (!isCanceled) connection.set({ isReachable: false })
      throw error
    }
  },
  onRetry: (seconds) => connection.set({ retryAt: Date.now() + seconds * 1000 }),
}

/** The API of the service that this page came from, called as the signed-in user. */
export const service = createClient(clientOptions)

/** Adds the user who was chosen in development to a request. */
export function withUser(request: RequestInit = {}): RequestInit {
  const email = developmentUser()
  return email ? { ...request, headers: { ...request.headers, 'x-user-email': email } } : request
}

type Body<K extends keyof Client> = Awaited<ReturnType<Client[K]>>
type Item<T> = T extends { data: (infer I)[] } ? I : never

export type Company = Item<Body<'listCompanies'>>
export type CompanyDetail = Body<'getCompany'>['data']
export type CompanyPatch = Parameters<Client['updateCompany']>[0]['body']
export type CompanyQuery = NonNullable<NonNullable<Parameters<Client['listCompanies']>[0]>['querystring']>
export type SearchResult = Item<Body<'searchCompanies'>>
export type SearchStatus = Body<'getSearchStatus'>['data']
export type Deal = Item<Body<'listDeals'>>
export type ThesisSummary = Item<Body<'listTheses'>>
export type Thesis = Body<'getThesis'>['data']
export type Activity = Item<Body<'listActivity'>>
export type BulkAction = Body<'getBulkAction'>['data']
export type Session = Item<Body<'listSessions'>>
export type ApiKey = Item<Body<'listKeys'>>
export type User = Item<Body<'listUsers'>>
export type AuditEntry = Item<Body<'listAuditEntries'>>
export type CurrentUser = Body<'getCurrentUser'>['data']
export type Page<T> = {
  data: T[]
  pagination: { total: number; limit: number; offset: number; hasMore: boolean }
}
