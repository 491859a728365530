import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { NotSignedIn } from '#src/client/errors.ts'
import { activitySearch } from './screens/activity/activity-search.ts'
import { auditSearch } from './screens/audit/audit-search.ts'
import { bulkActionsSearch } from './screens/bulk-actions/bulk-actions-search.ts'
import { companiesSearch } from './screens/companies/companies-search.ts'
import { pipelineSearch } from './screens/pipeline/pipeline-search.ts'
import { signInSearch } from './screens/sign-in/sign-in-search.ts'
import { thesesSearch } from './screens/theses/theses-search.ts'
import { usersSearch } from './screens/users/users-search.ts'
import { queries } from './service/queries.ts'
import { queryClient } from './service/query-client.ts'
import { NotFoundScreen, RouteError, RoutePending } from './shell/route-states.tsx'

/** The router keeps unknown search parameters of the address unless they are set to undefined. */
const only =
  <T extends object>(parse: (search: Record<string, unknown>) => T) =>
  (search: Record<string, unknown>): T => ({
    ...(Object.fromEntries(Object.keys(search).map((key) => [key, undefined])) as Partial<T>),
    ...parse(search),
  })

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundScreen })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: signInSearch,
  beforeLoad: async ({ search }) => {
    const user = await queryClient.ensureQueryData(queries.me()).catch(() => null)
    if (!user) return
    // The return path may belong to a page outside this router, such as /docs.
    if (search.return_to) throw redirect({ href: search.return_to, reloadDocument: true })
    throw redirect({ to: '/home' })
  },
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    await queryClient.ensureQueryData(queries.me()).catch((error) => {
      if (error instanceof NotSignedIn) throw redirect({ to: '/', search: { return_to: location.href } })
      throw error
    })
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/home',
  component: lazyRouteComponent(() => import('./screens/home/home-screen.tsx'), 'HomeScreen'),
})

const companies = createRoute({
  getParentRoute: () => shell,
  path: '/companies',
  validateSearch: only(companiesSearch),
  component: lazyRouteComponent(() => import('./screens/companies/companies-screen.tsx'), 'CompaniesScreen'),
})

const importCompanies = createRoute({
  getParentRoute: () => shell,
  path: '/companies/import',
  component: lazyRouteComponent(() => import('./screens/import/import-screen.tsx'), 'ImportScreen'),
})

const company = createRoute({
  getParentRoute: () => shell,
  path: '/companies/$id',
  component: lazyRouteComponent(() => import('./screens/company/company-screen.tsx'), 'CompanyScreen'),
})

const pipeline = createRoute({
  getParentRoute: () => shell,
  path: '/pipeline',
  validateSearch: only(pipelineSearch),
  component: lazyRouteComponent(() => import('./screens/pipeline/pipeline-screen.tsx'), 'PipelineScreen'),
})

const theses = createRoute({
  getParentRoute: () => shell,
  path: '/theses',
  validateSearch: only(thesesSearch),
  component: lazyRouteComponent(() => import('./screens/theses/theses-screen.tsx'), 'ThesesScreen'),
})

const thesis = createRoute({
  getParentRoute: () => shell,
  path: '/theses/$id',
  component: lazyRouteComponent(() => import('./screens/theses/thesis-screen.tsx'), 'ThesisScreen'),
})

const bulkActions = createRoute({
  getParentRoute: () => shell,
  path: '/bulk-actions',
  validateSearch: only(bulkActionsSearch),
  component: lazyRouteComponent(
    () => import('./screens/bulk-actions/bulk-actions-screen.tsx'),
    'BulkActionsScreen',
  ),
})

const bulkAction = createRoute({
  getParentRoute: () => shell,
  path: '/bulk-actions/$id',
  component: lazyRouteComponent(
    () => import('./screens/bulk-actions/bulk-action-screen.tsx'),
    'BulkActionScreen',
  ),
})

const activity = createRoute({
  getParentRoute: () => shell,
  path: '/activity',
  validateSearch: only(activitySearch),
  component: lazyRouteComponent(() => import('./screens/activity/activity-screen.tsx'), 'ActivityScreen'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/settings-screen.tsx'), 'SettingsScreen'),
})

const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/settings/sessions',
  component: lazyRouteComponent(() => import('./screens/settings/sessions-screen.tsx'), 'SessionsScreen'),
})

const keys = createRoute({
  getParentRoute: () => shell,
  path: '/settings/keys',
  component: lazyRouteComponent(() => import('./screens/settings/keys-screen.tsx'), 'KeysScreen'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/admin/users',
  validateSearch: only(usersSearch),
  component: lazyRouteComponent(() => import('./screens/users/users-screen.tsx'), 'UsersScreen'),
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/admin/audit',
  validateSearch: only(auditSearch),
  component: lazyRouteComponent(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      companies,
      importCompanies,
      company,
      pipeline,
      theses,
      thesis,
      bulkActions,
      bulkAction,
      activity,
      settings,
      sessions,
      keys,
      users,
      audit,
    ]),
  ]),
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
