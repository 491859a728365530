import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Reading, VersionApi } from './api.fixture.ts'
import { PEOPLE } from './fill.fixture.ts'

/** The answers of a service, by the path of the request and the user. */
export type Snapshot = Map<string, Reading>

interface List {
  operation: string
  path: string
  /** What can be read about each of its records, by operation. */
  details?: Record<string, string>
}

/** All lists with the records in them. */
const LISTS: readonly List[] = [
  {
    operation: 'listCompanies',
    path: '/api/companies?sort=name',
    details: {
      getCompany: '/api/companies/:id',
      getCompanyHistory: '/api/companies/:id/history?limit=200',
      getProfile: '/assets/companies/:id/profile.json',
      getSource: '/assets/companies/:id/source.csv',
    },
  },
  {
    operation: 'listTheses',
    path: '/api/theses?',
    details: {
      getThesis: '/api/theses/:id',
      getThesisHistory: '/api/theses/:id/history?limit=200',
      getThesisCriteria: '/api/theses/:id/criteria',
      listThesisMatches: '/api/theses/:id/matches?verdict=up',
    },
  },
  {
    operation: 'listDeals',
    path: '/api/dealflow?',
    details: { getDeal: '/api/dealflow/:id', getDealHistory: '/api/dealflow/:id/history?limit=200' },
  },
  { operation: 'listActivity', path: '/api/activity?', details: { getActivity: '/api/activity/:id' } },
  { operation: 'listActions', path: '/api/actions?', details: { getAction: '/api/actions/:id' } },
  {
    operation: 'listBulkActions',
    path: '/api/bulk-actions?',
    details: {
      getBulkAction: '/api/bulk-actions/:id',
      listBulkActionCompanies: '/api/bulk-actions/:id/companies?limit=200',
    },
  },
  { operation: 'listFeedback', path: '/api/feedback?', details: { getFeedback: '/api/feedback/:id' } },
  { operation: 'listImports', path: '/api/imports?', details: { getImport: '/api/imports/:id' } },
  { operation: 'listTrash', path: '/api/trash?' },
  { operation: 'listTags', path: '/api/tags?' },
  { operation: 'listDuplicates', path: '/api/duplicates?' },
  { operation: 'listDuplicates', path: '/api/duplicates?status=dismissed' },
  // Without exports and reports, which reading everything adds to.
  ...['bulk_action_started', 'import', 'key_created', 'purge'].map((event) => ({
    operation: 'listAuditEntries',
    path: `/api/audit?event=${event}`,
  })),
  { operation: 'listKeys', path: '/api/keys?' },
  { operation: 'listUsers', path: '/api/users?' },
]

/** Filters, totals, exports, and searches. */
const SINGLE: readonly (readonly [operation: string, path: string])[] = [
  ...[
    'status=inactive',
    'country_code=DE&sort=-revenue_eur',
    'industry_category=Robotics',
    'min_score=50&sort=-llm_score_overall',
    'search=muller',
    'search=gmbh&sort=-updated_at',
    'search=ромашка',
  ].map((query) => ['listCompanies', `/api/companies?limit=200&${query}`] as const),
  ['getCompanyFacets', '/api/companies/facets'],
  ['exportCompanies', '/api/companies/export'],
  ['getDealStages', '/api/dealflow/stages'],
  ['getStageConfig', '/api/dealflow/stages/config'],
  ['listDeals', '/api/dealflow?stage=lost'],
  ['listActivity', '/api/activity?entity_type=thesis&limit=200'],
  ['getStats', '/api/stats'],
  ['getWeeklyStats', '/api/stats/weekly'],
  ['listFields', '/api/fields?entity=company'],
  ['listFields', '/api/fields?entity=deal'],
  ['findRecords', '/api/search?q=ромашка'],
  ['findRecords', '/api/search?q=sohne'],
  ...['Restores cuckoo clocks', 'Kuckucksuhren', 'Sonnenuhren aus Messing'].map(
    (query) =>
      ['searchCompanies', `/api/companies/search/semantic?limit=1&q=${encodeURIComponent(query)}`] as const,
  ),
]

/** What differs between people. */
const PERSONAL: readonly (readonly [operation: string, path: string])[] = [
  ['getUser', '/api/users/:email'],
  ['getCurrentUser', '/api/auth/me'],
  ['listViews', '/api/views?entity=company'],
  ['listViews', '/api/views?entity=deal'],
  ['listViews', '/api/views?entity=thesis'],
]

const PAGE = 200
/** Requests at the same time. */
const CONCURRENT = 4
const QUIET_MS = 1000

/** Reads everything that a version offers, until it stays the same. */
export async function readWhenQuiet(api: VersionApi): Promise<Snapshot> {
  let previous = await readEverything(api)
  for (;;) {
    await sleep(QUIET_MS)
    const next = await readAgain(api, await requestsOf(api))
    if (isDeepStrictEqual(previous, next)) return next
    previous = next
  }
}

async function readEverything(api: VersionApi): Promise<Snapshot> {
  return readAgain(api, await requestsOf(api))
}

/** Sends the same requests again, for example to another version. */
export async function readAgain(api: VersionApi, keys: Iterable<string>): Promise<Snapshot> {
  const waiting = [...keys]
  const readings = new Map(waiting.map((key) => [key, undefined as unknown as Reading]))
  const worker = async () => {
    for (let key = waiting.pop(); key; key = waiting.pop()) {
      const [path = '', email] = key.split(' ')
      readings.set(key, withoutMoments(path, await api.read(path, email)))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
  return readings
}

/**
 * Leaves out what differs in every answer, and from a search all but which record is found first: ranking is not data. Fields
 * are compared by name, because there are more.
 */
function withoutMoments(path: string, { status, body }: Reading): Reading {
  if (path.includes('/search/semantic'))
    return { status, body: body.data.map(({ id }: { id: string }) => id) }
  if (path.startsWith('/api/fields')) return { status, body: { ...body, data: byName(body.data) } }
  if (path.includes('/matches')) return { status, body: verdictsOf(body.data) }
  return { status, body }
}

const byName = (fields: { name: string }[]) => Object.fromEntries(fields.map((field) => [field.name, field]))

/** Companies with their verdicts, without how well they fit, which the model computes again. */
const verdictsOf = (matches: { id: string; fit: number; verdict: string }[]) =>
  matches.map(({ id, verdict }) => ({ id, verdict })).toSorted((a, b) => a.id.localeCompare(b.id))

/** The requests for all lists, page by page, and for all records in them. */
async function requestsOf(api: VersionApi): Promise<string[]> {
  const requests: string[] = []
  for (const { operation, path, details = {} } of LISTS) {
    if (!api.offers(operation)) continue
    for (let offset = 0, total = 1; offset < total; offset += PAGE) {
      const page = `${path}&limit=${PAGE}&offset=${offset}`
      requests.push(page)
      const { status, body } = await api.read(page)
      if (status !== 200) throw new Error(`${page}: ${status} ${JSON.stringify(body)}`)
      total = body.pagination?.total ?? 0
      const ids: string[] = body.data.map(({ id }: { id: string }) => id)
      for (const [name, detail] of Object.entries(details))
        if (api.offers(name)) requests.push(...ids.map((id) => detail.replace(':id', id)))
    }
  }
  for (const [operation, path] of SINGLE) if (api.offers(operation)) requests.push(path)
  for (const [operation, path] of PERSONAL)
    if (api.offers(operation))
      requests.push(...PEOPLE.map((email) => `${path.replace(':email', email)} ${email}`))
  return requests
}
