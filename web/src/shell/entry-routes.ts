import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { NotSignedIn } from '#src/client/errors.ts'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { returnSearch, takeReturnPath } from '../screens/sign-in/return-path.ts'
import { signInSearch } from '../screens/sign-in/sign-in-search.ts'
import { lazyRouteComponent } from './lazy-route-component.ts'
import { PagePending } from './route-states.tsx'
import { Shell } from './shell.tsx'

export const root = createRootRoute({ component: Outlet, pendingComponent: PagePending })

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: signInSearch,
  beforeLoad: async ({ search }) => {
    const user = await queryClient.ensureQueryData(queries.me()).catch(() => null)
    if (!user) return
    // The return path may belong to a page outside this router, such as /docs.
    const path = search.return_to ?? takeReturnPath()
    if (path) throw redirect({ href: path, reloadDocument: true })
    throw redirect({ to: '/home' })
  },
  pendingComponent: PagePending,
  component: lazyRouteComponent(() => import('../screens/sign-in/index.tsx'), 'SignInScreen'),
})

/** The frame of every screen that needs a user. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    await queryClient.ensureQueryData(queries.me()).catch((error) => {
      if (error instanceof NotSignedIn) throw redirect({ to: '/', search: returnSearch(location.href) })
      throw error
    })
  },
  pendingComponent: PagePending,
  component: Shell,
})
