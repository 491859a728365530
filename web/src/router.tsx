import { type AnyRoute, createRoute, createRouter, type SearchSchemaInput } from '@tanstack/react-router'
import { fieldQueries } from './api/field-queries.ts'
import { queries } from './api/queries.ts'
import { queryClient } from './api/query-client.ts'
import { listSearch } from './lists/list-search.ts'
import { pageSize } from './lists/use-list-page.ts'
import { activitySearch } from './screens/activity/activity-search.ts'
import { bulkActionsSearch } from './screens/bulk-actions/bulk-actions-search.ts'
import { type CompaniesLink, companiesSearch } from './screens/companies/companies-search.ts'
import { pageQuery } from './screens/companies/list-query.ts'
import { duplicatesSearch } from './screens/duplicates/duplicates-search.ts'
import { homeQueries } from './screens/home/home-queries.ts'
import { inboxSearch } from './screens/inbox/inbox-search.ts'
import { peoplePage } from './screens/people/people-query.ts'
import { stageTotals } from './screens/pipeline/pipeline-query.ts'
import { pipelineSearch } from './screens/pipeline/pipeline-search.ts'
import { thesesSearch } from './screens/theses/theses-search.ts'
import { thesisSearch } from './screens/thesis/thesis-search.ts'
import { trashSearch } from './screens/trash/trash-search.ts'
import { root, shell, signIn } from './shell/entry-routes.ts'
import { lazyRouteComponent } from './shell/lazy-route-component.ts'
import { recordRoutes } from './shell/record-routes.ts'
import { NotFoundScreen, RouteError, RoutePending } from './shell/route-states.tsx'
import { only, settingsRoutes } from './shell/settings-routes.ts'
import { viewQueries } from './views/view-queries.ts'

const home = createRoute({
  getParentRoute: () => shell,
  path: '/home',
  loader: () => {
    queryClient.prefetchQuery(queries.stats())
    queryClient.prefetchQuery(homeQueries.tasks())
    queryClient.prefetchQuery(homeQueries.deals())
    queryClient.prefetchQuery(queries.dealStages())
    queryClient.prefetchQuery(homeQueries.pipeline())
  },
  component: lazyRouteComponent(() => import('./screens/home/index.tsx'), 'HomeScreen'),
})

const inbox = createRoute({
  getParentRoute: () => shell,
  path: '/inbox',
  validateSearch: only(inboxSearch),
  component: lazyRouteComponent(() => import('./screens/inbox/index.tsx'), 'InboxScreen'),
})

const companies = createRoute({
  getParentRoute: () => shell,
  path: '/companies',
  validateSearch: (search: CompaniesLink & SearchSchemaInput) => only(companiesSearch)({ ...search }),
  loader: ({ location }) => {
    queryClient.prefetchQuery(viewQueries.views('company'))
    queryClient.prefetchQuery(fieldQueries.fields('company'))
    queryClient.prefetchQuery(queries.theses())
    const isCompact = queryClient.getQueryData(queries.me().queryKey)?.preferences.view_mode === 'compact'
    if (location.searchStr === '') queryClient.prefetchQuery(pageQuery({}, 1, pageSize(isCompact)))
  },
  component: lazyRouteComponent(() => import('./screens/companies/index.tsx'), 'CompaniesScreen'),
})

const importCompanies = createRoute({
  getParentRoute: () => shell,
  path: '/companies/import',
  component: lazyRouteComponent(() => import('./screens/import/index.tsx'), 'ImportScreen'),
})

const importPeople = createRoute({
  getParentRoute: () => shell,
  path: '/people/import',
  component: lazyRouteComponent(() => import('./screens/import/index.tsx'), 'ImportPeopleScreen'),
})

const importDeals = createRoute({
  getParentRoute: () => shell,
  path: '/pipeline/import',
  component: lazyRouteComponent(() => import('./screens/import/index.tsx'), 'ImportDealsScreen'),
})

/** Loads no data on hover: a timeline has many links to records. */
const company = createRoute({
  getParentRoute: () => shell,
  path: '/companies/$id',
  loader: ({ params: { id }, cause }) => {
    if (cause === 'preload') return
    queryClient.prefetchQuery(queries.company(id))
    queryClient.prefetchQuery(queries.theses())
    queryClient.prefetchQuery(fieldQueries.fields('company'))
  },
  component: lazyRouteComponent(() => import('./screens/company/index.tsx'), 'CompanyScreen'),
})

const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  validateSearch: only(listSearch),
  loader: ({ location }) => {
    queryClient.prefetchQuery(viewQueries.views('person'))
    queryClient.prefetchQuery(fieldQueries.fields('person'))
    const isCompact = queryClient.getQueryData(queries.me().queryKey)?.preferences.view_mode === 'compact'
    if (location.searchStr === '') queryClient.prefetchQuery(peoplePage({}, 1, pageSize(isCompact)))
  },
  component: lazyRouteComponent(() => import('./screens/people/index.tsx'), 'PeopleScreen'),
})

const person = createRoute({
  getParentRoute: () => shell,
  path: '/people/$id',
  loader: ({ params: { id }, cause }) => {
    if (cause === 'preload') return
    queryClient.prefetchQuery(queries.person(id))
    queryClient.prefetchQuery(fieldQueries.fields('person'))
  },
  component: lazyRouteComponent(() => import('./screens/person/index.tsx'), 'PersonScreen'),
})

const pipeline = createRoute({
  getParentRoute: () => shell,
  path: '/pipeline',
  validateSearch: only(pipelineSearch),
  loader: ({ location }) => {
    queryClient.prefetchQuery(viewQueries.views('deal'))
    queryClient.prefetchQuery(fieldQueries.stageConfig())
    if (location.searchStr === '') queryClient.prefetchQuery(stageTotals({}).query)
  },
  component: lazyRouteComponent(() => import('./screens/pipeline/index.tsx'), 'PipelineScreen'),
})

const deal = createRoute({
  getParentRoute: () => shell,
  path: '/deals/$id',
  loader: ({ params: { id }, cause }) => {
    if (cause === 'preload') return
    queryClient.prefetchQuery(queries.deal(id))
    queryClient.prefetchQuery(fieldQueries.fields('deal'))
    queryClient.prefetchQuery(fieldQueries.stageConfig())
  },
  component: lazyRouteComponent(() => import('./screens/pipeline/deal-screen.tsx'), 'DealScreen'),
})

const theses = createRoute({
  getParentRoute: () => shell,
  path: '/theses',
  validateSearch: only(thesesSearch),
  loader: ({ location }) => {
    queryClient.prefetchQuery(viewQueries.views('thesis'))
    if (location.searchStr === '') queryClient.prefetchQuery(queries.listedTheses({}))
  },
  component: lazyRouteComponent(() => import('./screens/theses/index.tsx'), 'ThesesScreen'),
})

const thesis = createRoute({
  getParentRoute: () => shell,
  path: '/theses/$id',
  loader: ({ params: { id }, cause }) => {
    if (cause === 'preload') return
    queryClient.prefetchQuery(queries.thesis(id))
  },
  validateSearch: only(thesisSearch),
  component: lazyRouteComponent(() => import('./screens/thesis/index.tsx'), 'ThesisScreen'),
})

const bulkActions = createRoute({
  getParentRoute: () => shell,
  path: '/bulk-actions',
  validateSearch: only(bulkActionsSearch),
  component: lazyRouteComponent(() => import('./screens/bulk-actions/index.tsx'), 'BulkActionsScreen'),
})

const bulkAction = createRoute({
  getParentRoute: () => shell,
  path: '/bulk-actions/$id',
  component: lazyRouteComponent(() => import('./screens/bulk-action/index.tsx'), 'BulkActionScreen'),
})

const activity = createRoute({
  getParentRoute: () => shell,
  path: '/activity',
  validateSearch: only(activitySearch),
  component: lazyRouteComponent(() => import('./screens/activity/index.tsx'), 'ActivityScreen'),
})

const action = createRoute({
  getParentRoute: () => shell,
  path: '/activity/actions/$id',
  component: lazyRouteComponent(() => import('./screens/action/index.tsx'), 'ActionScreen'),
})

const duplicates = createRoute({
  getParentRoute: () => shell,
  path: '/duplicates',
  validateSearch: only(duplicatesSearch),
  component: lazyRouteComponent(() => import('./screens/duplicates/index.tsx'), 'DuplicatesScreen'),
})

const trash = createRoute({
  getParentRoute: () => shell,
  path: '/trash',
  validateSearch: only(trashSearch),
  component: lazyRouteComponent(() => import('./screens/trash/index.tsx'), 'TrashScreen'),
})

const routeTree = root.addChildren([
  signIn,
  shell.addChildren([
    home,
    inbox,
    companies,
    importCompanies,
    importPeople,
    importDeals,
    company,
    people,
    person,
    pipeline,
    deal,
    theses,
    thesis,
    ...recordRoutes,
    bulkActions,
    bulkAction,
    activity,
    action,
    duplicates,
    trash,
    ...settingsRoutes,
  ]),
])

/** Unknown addresses. Left out of the types, in which links could then lead anywhere. */
const notFound = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundScreen })
;(shell as AnyRoute).addChildren([...(shell.children as unknown as AnyRoute[]), notFound])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: RouteError,
  defaultPendingComponent: RoutePending,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
