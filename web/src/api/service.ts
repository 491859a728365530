import { type Client, type ClientOptions, type CompletedAction, createClient } from '#src/client/client.ts'
import { MAX_FILTER_LENGTH } from '#src/client/limits.ts'
import { connection } from './connection.ts'
import { developmentUser } from './development-user.ts'
import { latestChanges } from './live/latest-changes.ts'
import { withActivity } from './user-activity.ts'

/** Servers limit the size of headers. Beyond the limit, the browser only sees a closed connection. */
const MAX_ADDRESS_LENGTH = 56_000

const isTooLong = (address: string): boolean =>
  address.length > MAX_ADDRESS_LENGTH ||
  (new URL(address).searchParams.get('filter')?.length ?? 0) > MAX_FILTER_LENGTH

const clientOptions: ClientOptions = {
  baseUrl: location.origin,
  fetch: async (address, request) => {
    if (isTooLong(String(address))) return new Response(null, { status: 414 })
    try {
      const response = await fetch(address, withActivity(withUser(request)))
      connection.set({ isReachable: true })
      return response
    } catch (error) {
      const isCanceled = error instanceof DOMException && error.name === 'AbortError'
      if (!isCanceled) connection.set({ isReachable: false })
      throw error
    }
  },
  onRetry: (seconds) => connection.set({ retryAt: Date.now() + seconds * 1000 }),
  onAction: latestChanges.add,
}

/** The API of the service that this page came from, called as the signed-in user. */
export const service = createClient(clientOptions)

/** The same, except that it reports its changes to the caller, who shows one notice for several of them. */
export const serviceReportingTo = (onAction: (done: CompletedAction) => void): Client =>
  createClient({ ...clientOptions, onAction })

const { onRetry: _onRetry, ...withoutRetries } = clientOptions

/** The same without retries: a rate-limited request fails at once, and nothing announces it. */
export const serviceWithoutRetries = createClient(withoutRetries)

/** Adds the user who was chosen in development to a request. */
export function withUser(request: RequestInit = {}): RequestInit {
  const email = developmentUser()
  return email ? { ...request, headers: { ...request.headers, 'x-user-email': email } } : request
}

type Body<K extends keyof Client> = Awaited<ReturnType<Client[K]>>
type Item<T> = T extends { data: (infer I)[] } ? I : never

/** The query parameters of an operation. */
export type Query<K extends keyof Client> = NonNullable<
  NonNullable<Parameters<Client[K]>[0]> extends { querystring?: infer Q } ? Q : never
>

export type Company = Item<Body<'listCompanies'>>
export type CompanyDetail = Body<'getCompany'>['data']
export type CompanyPatch = Parameters<Client['updateCompany']>[0]['body']
export type CompanyQuery = NonNullable<NonNullable<Parameters<Client['listCompanies']>[0]>['querystring']>
export type PastImport = Item<Body<'listImports'>>
export type SearchResult = Item<Body<'searchCompanies'>>
export type SearchStatus = Body<'getSearchStatus'>['data']
export type Person = Body<'getPerson'>['data']
export type PersonPatch = Parameters<Client['updatePerson']>[0]['body']
/** How a person is linked to a company. */
export type CompanyLink = Person['companies'][number]
export type CompanyPerson = Item<Body<'listCompanyPeople'>>
export type Deal = Item<Body<'listDeals'>>
export type ThesisSummary = Item<Body<'listTheses'>>
export type Thesis = Body<'getThesis'>['data']
export type { ThesisCriterion } from '#src/client/client.ts'
export type ThesisMatch = Item<Body<'listThesisMatches'>>
export type Note = Body<'getNote'>['data']
export type ListedNote = Item<Body<'listNotes'>>
export type TimelineEntry = Item<Body<'getCompanyTimeline'>>
export type Decision = Body<'getDecision'>['data']
export type Relationship = Item<Body<'listPersonRelationships'>>
export type CompanyRelationship = Item<Body<'listCompanyRelationships'>>
export type ReasonConfig = Body<'getReasonConfig'>['data']
export type NewDecision = Parameters<Client['createDecision']>[0]['body']
export type Task = Body<'getTask'>['data']
export type FinishedTask = Body<'finishTask'>['data']
export type NewTask = Parameters<Client['createTask']>[0]['body']
export type FileRecord = Body<'getFile'>['data']
export type ListedFile = Item<Body<'listFiles'>>
export type Activity = Item<Body<'listActivity'>>
export type Action = Body<'getAction'>['data']
export type HistoryEntry = Item<Body<'getCompanyHistory'>>
export type Duplicate = Item<Body<'listDuplicates'>>
export type TrashEntry = Item<Body<'listTrash'>>
export type BulkAction = Body<'getBulkAction'>['data']
export type Notification = Item<Body<'listNotifications'>>
export type NotificationPage = Body<'listNotifications'>
export type NotificationSettings = Body<'getNotificationSettings'>['data']
export type Follow = Body<'getCompanyFollow'>['data']
export type FoundRecord = Body<'findRecords'>['data'][number]
export type Session = Item<Body<'listSessions'>>
export type ApiKey = Item<Body<'listKeys'>>
export type User = Item<Body<'listUsers'>>
export type AuditEntry = Item<Body<'listAuditEntries'>>
export type BackupRun = Item<Body<'listBackups'>>
export type CurrentUser = Body<'getCurrentUser'>['data']
export type Page<T> = {
  data: T[]
  pagination: { total: number; limit: number; offset: number; hasMore: boolean }
}
