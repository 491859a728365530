import { createRoute } from '@tanstack/react-router'
import { auditSearch } from '../screens/audit/audit-search.ts'
import { fieldsSearch } from '../screens/settings/fields/fields-search.ts'
import { tagsSearch } from '../screens/settings/tags/tags-search.ts'
import { usersSearch } from '../screens/users/users-search.ts'
import { shell } from './entry-routes.ts'
import { lazyRouteComponent } from './lazy-route-component.ts'

/** The router keeps unknown search parameters of the address unless they are set to undefined. */
export const only =
  <T extends object>(parse: (search: Record<string, unknown>) => T) =>
  (search: Record<string, unknown>): T => ({
    ...(Object.fromEntries(Object.keys(search).map((key) => [key, undefined])) as Partial<T>),
    ...parse(search),
  })

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('../screens/settings/index.tsx'), 'SettingsScreen'),
})

const notifications = createRoute({
  getParentRoute: () => shell,
  path: '/settings/notifications',
  component: lazyRouteComponent(
    () => import('../screens/settings/notifications/index.tsx'),
    'NotificationsScreen',
  ),
})

const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/settings/sessions',
  component: lazyRouteComponent(() => import('../screens/settings/sessions/index.tsx'), 'SessionsScreen'),
})

const keys = createRoute({
  getParentRoute: () => shell,
  path: '/settings/keys',
  component: lazyRouteComponent(() => import('../screens/settings/keys/index.tsx'), 'KeysScreen'),
})

const fields = createRoute({
  getParentRoute: () => shell,
  path: '/settings/fields',
  validateSearch: only(fieldsSearch),
  component: lazyRouteComponent(() => import('../screens/settings/fields/index.tsx'), 'FieldsScreen'),
})

const tags = createRoute({
  getParentRoute: () => shell,
  path: '/settings/tags',
  validateSearch: only(tagsSearch),
  component: lazyRouteComponent(() => import('../screens/settings/tags/index.tsx'), 'TagsScreen'),
})

const stages = createRoute({
  getParentRoute: () => shell,
  path: '/settings/stages',
  component: lazyRouteComponent(() => import('../screens/settings/stages/index.tsx'), 'StagesScreen'),
})

const reasons = createRoute({
  getParentRoute: () => shell,
  path: '/settings/reasons',
  component: lazyRouteComponent(() => import('../screens/settings/reasons/index.tsx'), 'ReasonsScreen'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/admin/users',
  validateSearch: only(usersSearch),
  component: lazyRouteComponent(() => import('../screens/users/index.tsx'), 'UsersScreen'),
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/admin/audit',
  validateSearch: only(auditSearch),
  component: lazyRouteComponent(() => import('../screens/audit/index.tsx'), 'AuditScreen'),
})

const backups = createRoute({
  getParentRoute: () => shell,
  path: '/admin/backups',
  component: lazyRouteComponent(() => import('../screens/backups/index.tsx'), 'BackupsScreen'),
})

/** The settings, and the screens of admins. */
export const settingsRoutes = [
  ...[settings, notifications, sessions, keys, fields, tags, stages, reasons],
  ...[users, audit, backups],
] as const
