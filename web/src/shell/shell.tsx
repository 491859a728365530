import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  NavLink,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconActivity,
  IconBuildingFactory2,
  IconBulb,
  IconCode,
  IconHome,
  IconLayoutKanban,
  IconMessage2,
  IconSettings,
  IconShieldLock,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { strings } from '#strings/general.ts'
import { WhenIdle } from '#web/browser/when-idle.tsx'
import { connection, useConnection } from '#web/service/connection.ts'
import { queries } from '#web/service/queries.ts'
import { useMay } from '#web/service/use-may.ts'
import { LazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ScreenNavLink } from '#web/ui/link.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useSessionWatch } from './use-session-watch.ts'

// Loaded later: most visits do not need these, or not at first.
const BulkActionWatch = lazy(async () => ({
  default: (await import('#web/bulk-actions/bulk-action-watch.tsx')).BulkActionWatch,
}))
const SessionExpired = lazy(() => import('./session-expired.tsx'))
const FeedbackDialog = lazy(() => import('#web/screens/feedback/feedback-dialog.tsx'))

const SCREENS = [
  { to: '/home', label: strings.home, Icon: IconHome },
  { to: '/companies', label: strings.companies, Icon: IconBuildingFactory2 },
  { to: '/pipeline', label: strings.pipeline, Icon: IconLayoutKanban },
  { to: '/theses', label: strings.theses, Icon: IconBulb },
  { to: '/bulk-actions', label: strings.bulkActions, Icon: IconStack2 },
  { to: '/activity', label: strings.activity, Icon: IconActivity },
  { to: '/settings', label: strings.settings, Icon: IconSettings },
] as const
const USERS = { to: '/admin/users', label: strings.users, Icon: IconUsers } as const
const AUDIT = { to: '/admin/audit', label: strings.audit, Icon: IconShieldLock } as const

const dismissSessionExpired = () => connection.set({ isSessionExpired: false })

/** The frame around every screen: navigation, account, feedback, and notices about the connection. */
export function Shell() {
  const [isOpen, navigation] = useDisclosure(false)
  const [isFeedbackOpen, feedback] = useDisclosure(false)
  const status = useQuery(queries.authenticationStatus())
  const { isSessionExpired } = useConnection()
  const mayManageUsers = useMay('manage_users')
  const mayAudit = useMay('audit')
  const screens = [...SCREENS, ...(mayManageUsers ? [USERS] : []), ...(mayAudit ? [AUDIT] : [])]
  useSessionWatch()
  useFocusOnNavigation('content')
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', lg: 'xl' }}
    >
      <a href="#content" className="skip-link">
        {strings.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={isOpen}
              onClick={navigation.toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={strings.openNavigation}
              aria-expanded={isOpen}
            />
            <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={24} height={24} />
            <Text fw={650} visibleFrom="xs">
              {strings.product}
            </Text>
            {status.data?.mode === 'development' && (
              <Tooltip label={strings.developmentHelp} multiline w={260}>
                <Badge color="orange" variant="light" tabIndex={0} style={{ flexShrink: 0 }}>
                  {strings.development}
                </Badge>
              </Tooltip>
            )}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              visibleFrom="xs"
              leftSection={<IconMessage2 size={16} aria-hidden />}
              onClick={feedback.open}
            >
              {strings.feedback}
            </Button>
            <ActionIcon
              variant="default"
              size={30}
              hiddenFrom="xs"
              aria-label={strings.feedback}
              onClick={feedback.open}
            >
              <IconMessage2 size={16} aria-hidden />
            </ActionIcon>
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {/* While closed, it is off screen and must not be reachable with Tab. */}
      <AppShell.Navbar p="xs" aria-label={strings.navigation} visibleFrom={isOpen ? undefined : 'md'}>
        <Stack gap={2} style={{ flex: 1 }}>
          {screens.map(({ to, label, Icon }) => (
            <ScreenNavLink
              key={to}
              to={to}
              label={label}
              leftSection={<Icon size={18} aria-hidden />}
              activeProps={{ active: true, 'aria-current': 'page' }}
              onClick={navigation.close}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </Stack>
        <NavLink
          component="a"
          href="/docs"
          label={strings.apiDocumentation}
          leftSection={<IconCode size={18} aria-hidden />}
          style={{ borderRadius: 'var(--mantine-radius-md)' }}
        />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="content">
        <ConnectionBanner />
        <Outlet />
      </AppShell.Main>
      {isSessionExpired && (
        <LazyDialog close={dismissSessionExpired}>
          <SessionExpired close={dismissSessionExpired} />
        </LazyDialog>
      )}
      <WhenIdle>
        <Suspense>
          <BulkActionWatch />
        </Suspense>
      </WhenIdle>
      {isFeedbackOpen && (
        <LazyDialog close={feedback.close}>
          <FeedbackDialog close={feedback.close} />
        </LazyDialog>
      )}
    </AppShell>
  )
}
