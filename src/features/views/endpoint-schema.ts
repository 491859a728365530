import { Type } from 'typebox'
import { Company, companyExample } from '#src/features/companies/schema.ts'
import { Deal } from '#src/features/deals/schema.ts'
import { Person } from '#src/features/people/schema.ts'
import { ThesisSummary } from '#src/features/theses/schema.ts'
import {
  Data,
  ErrorAnswer,
  endpoint,
  IfMatch,
  Named,
  Nullable,
  Page,
  pageQuery,
  readOnlyFields,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'
import {
  entity,
  MAX_NEW_IDS,
  MAX_SEEN_RECORDS,
  MAX_VIEWS_PER_USER,
  NewView,
  settingsExample,
  View,
  ViewPatch,
  ViewQuery,
  ViewSettings,
  viewExample,
} from './schema.ts'

/** A moment names the transactions that were running. */
const MAX_MOMENT_LENGTH = 8000

/** A record of a view, as its list shows it. */
const ViewRecord = Type.Unsafe<Company | Deal | ThesisSummary | Person>({
  title: 'ViewRecord',
  anyOf: [Company, Deal, ThesisSummary, Person],
})
const since = {
  ids: Type.Array(Type.String(), {
    maxItems: MAX_NEW_IDS,
    description: `The ids of the newest ${MAX_NEW_IDS} of these records, regardless of the page.`,
  }),
  seen_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When you last looked; null: never, and nothing is new.',
    }),
  ),
  only_created: Type.Boolean({
    description: `Whether only records that were created since are listed: the view had more than ${MAX_SEEN_RECORDS.toLocaleString('en')} records.`,
  }),
  until: Type.String({
    description: 'The moment of this answer. Send it to `POST …/seen` when you have seen the records.',
  }),
}
const momentExample = '2026-03-02T09:30:00.000Z~731:731:'
const page = Page(ViewRecord, companyExample)
const newRecords = Type.Object(
  { ...page.properties, ...since },
  {
    title: 'NewViewRecords',
    examples: [
      {
        data: [companyExample],
        pagination: { total: 1, limit: 50, offset: 0, hasMore: false },
        ids: [companyExample.id],
        seen_at: '2026-03-01T09:30:00.000Z',
        only_created: false,
        until: momentExample,
      },
    ],
  },
)

const path = Type.Object({ id: Type.String({ description: 'The id of a view: view_…' }) })
const tags = ['Views']
const notYours = ErrorAnswer('The view belongs to someone else. Save a copy.')
const required = Type.Object({ 'if-match': Type.String({ ...IfMatch.properties['if-match'] }) })

export const listViews = endpoint('GET', '/api/views', {
  operationId: 'listViews',
  'x-action': 'read',
  tags,
  summary: 'List saved views',
  description: 'Yours and shared ones, in your order, then in the order of creation.',
  querystring: ViewQuery,
  response: { 200: Page(View, viewExample) },
})

export const getView = endpoint('GET', '/api/views/:id', {
  operationId: 'getView',
  'x-action': 'read',
  tags,
  summary: 'Read a saved view',
  description: "404 for someone else's private view.",
  params: path,
  response: { 200: Data(View, viewExample) },
})

export const createView = endpoint('POST', '/api/views', {
  operationId: 'createView',
  'x-action': 'account',
  tags,
  summary: 'Save a view',
  description: `You own it. Each user may own ${MAX_VIEWS_PER_USER} views; one that was given away counts until its new owner saves it.`,
  body: NewView,
  response: { 201: Data(View, viewExample), 409: ErrorAnswer('You own too many views.') },
})

export const updateView = endpoint('PATCH', '/api/views/:id', {
  operationId: 'updateView',
  'x-action': 'account',
  tags,
  summary: 'Change a saved view',
  description:
    'Needs `If-Match`, so that two people who save at once do not overwrite each other. `*` overwrites whatever is saved.',
  headers: required,
  params: path,
  body: ViewPatch,
  response: { 200: Data(View, viewExample), 403: notYours },
})

export const deleteView = endpoint('DELETE', '/api/views/:id', {
  operationId: 'deleteView',
  'x-action': 'account',
  tags,
  summary: 'Delete a saved view',
  description: 'For good, and for everyone if it is shared.',
  headers: IfMatch,
  params: path,
  response: { 204: Type.Null({ description: 'Done.' }), 403: notYours },
})

export const orderViews = endpoint('PUT', '/api/views/order', {
  operationId: 'orderViews',
  'x-action': 'account',
  tags,
  summary: 'Put your views in order',
  description: 'For you alone. Views that are left out come last.',
  body: Strict(
    Type.Object(
      {
        entity,
        view_ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 }),
        ...readOnlyFields(['default_view_id']),
      },
      { title: 'ViewOrder', examples: [{ entity: 'company', view_ids: [viewExample.id] }] },
    ),
  ),
  response: { 200: Data(ViewSettings, settingsExample) },
})

export const setDefaultView = endpoint('PUT', '/api/views/default', {
  operationId: 'setDefaultView',
  'x-action': 'account',
  tags,
  summary: 'Choose your default view',
  description: 'For you alone. null: none.',
  body: Strict(
    Type.Object(
      {
        entity,
        view_id: Nullable(Type.String({ maxLength: 100 })),
        ...readOnlyFields(['default_view_id', 'view_ids']),
      },
      { title: 'DefaultView', examples: [{ entity: 'company', view_id: viewExample.id }] },
    ),
  ),
  response: { 200: Data(ViewSettings, { ...settingsExample, default_view_id: viewExample.id }) },
})

export const listNewRecords = endpoint('GET', '/api/views/:id/new', {
  operationId: 'listNewRecords',
  'x-action': 'read',
  tags,
  summary: 'List the records that entered a view since you last looked',
  description: 'Newest first: records that the view shows now and did not show at your last `POST …/seen`.',
  params: path,
  querystring: Strict(Type.Object(pageQuery())),
  response: { 200: newRecords },
})

export const markViewSeen = endpoint('POST', '/api/views/:id/seen', {
  operationId: 'markViewSeen',
  'x-action': 'account',
  tags,
  summary: 'Note that you have seen all records of a view',
  description:
    'From now on, only records that enter the view later are new to you. With `until`, so are records that have entered ' +
    'or changed since that moment, unless you had seen them before.',
  params: path,
  querystring: Strict(
    Type.Object({
      until: Type.Optional(
        Type.String({
          maxLength: MAX_MOMENT_LENGTH,
          description:
            'The `until` of `GET …/new`, which you read together with the records that you have seen.',
          examples: [momentExample],
        }),
      ),
    }),
  ),
  response: {
    200: Data(Named('ViewSeen', { seen_at: Timestamp, records: Type.Integer() }), {
      seen_at: '2026-03-02T09:30:00.000Z',
      records: 218,
    }),
  },
})
