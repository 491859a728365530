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
  onWait: (seconds) => connection.set({ retryAt: Date.now() + seconds * 1000 }),
}

/** What a single call may set: a signal that cancels it, or its own way to send a file. */
type CallOptions = Pick<ClientOptions, 'signal' | 'fetch'>
type CallArguments<K extends keyof Client> =
  Parameters<Client[K]> extends []
    ? [input?: object, options?: CallOptions]
    : [...input: Parameters<Client[K]>, options?: CallOptions]
type Service = { [K in keyof Client]: (...call: CallArguments<K>) => ReturnType<Client[K]> }

/** The API of the service that this page came from, called as the signed-in user. */
export const service = createService()

// The client takes these options only when it is created.
function createService(): Service {
  const shared = createClient(clientOptions)
  const methods = (Object.keys(shared) as (keyof Client)[]).map((name) => [
    name,
    (input?: object, options?: CallOptions) => {
      const client = options ? createClient({ ...clientOptions, ...options }) : shared
      return (client[name] as (input?: object) => Promise<unknown>)(input)
    },
  ])
  return Object.fromEntries(methods)
}

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
export type Deal = Item<Body<'listDeals'>>
export type ThesisSummary = Item<Body<'listTheses'>>
export type Thesis = Body<'getThesis'>['data']
export type Activity = Item<Body<'listActivity'>>
export type BulkAction = Body<'getBulkAction'>['data']
export type CurrentUser = Body<'getCurrentUser'>['data']
export type Page<T> = {
  data: T[]
  pagination: { total: number; limit: number; offset: number; hasMore: boolean }
}
