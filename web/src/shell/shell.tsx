import { ActionIcon, AppShell, Burger, Group } from '@mantine/core'
import { IconMessage2, IconSearch } from '@tabler/icons-react'
import { useIsMutating } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, useEffect, useState } from 'react'
import { strings } from '#strings/general.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { ActionNotices } from '#web/activity/action-notices.tsx'
import { connection, useConnection } from '#web/api/connection.ts'
import { unsavedChanges } from '#web/api/live/change-queue.ts'
import { LiveUpdates } from '#web/api/live/live-updates.ts'
import { BulkActionWatch } from '#web/bulk-actions/bulk-action-watch.tsx'
import { FileDrop } from '#web/files/drop/file-drop.tsx'
import { UploadTray } from '#web/files/uploads/upload-tray.tsx'
import { useKeyboard } from '#web/keyboard/use-keyboard.ts'
import { NewNote } from '#web/notes/lazy-forms.ts'
import { TaskDialog } from '#web/tasks/lazy-dialogs.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { useFocusOnNavigation } from './hooks/use-focus-on-navigation.ts'
import { useNarrowNavigation } from './hooks/use-narrow-navigation.ts'
import { useSessionWatch } from './hooks/use-session-watch.ts'
import { type ShellDialog, useShellActions } from './hooks/use-shell-actions.ts'
import { useSidebar } from './hooks/use-sidebar.ts'
import { Mark } from './mark.tsx'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { TimeZone } from './time-zone.tsx'
import { UnreadDot } from './unread-count.tsx'

const SessionExpired = lazy(() => import('./session-expired.tsx'))
const DIALOGS = {
  feedback: lazy(() => import('#web/screens/feedback/index.tsx')),
  // Not lazy: the letters that follow Ctrl+K belong to it.
  palette: Palette,
  help: lazy(() => import('./keyboard-help.tsx')),
  person: lazy(() => import('#web/people/new-person-dialog.tsx')),
  note: ({ close }: { close: () => void }) => <NewNote kind="note" about={null} close={close} />,
  call: ({ close }: { close: () => void }) => <NewNote kind="call" about={null} close={close} />,
  meeting: ({ close }: { close: () => void }) => <NewNote kind="meeting" about={null} close={close} />,
  task: TaskDialog,
  company: lazy(() => import('#web/screens/companies/components/new-company/new-company-dialog.tsx')),
}

const HEADER_HEIGHT = 44
const SIDEBAR_WIDTH = 224
const COLLAPSED_WIDTH = 53

const dismissSessionExpired = () => connection.set({ isSessionExpired: false })

/** The frame around every screen: navigation, account, keyboard, and notices about the connection. */
export function Shell() {
  const { isOpen, button, ...navigation } = useNarrowNavigation()
  const [dialog, setDialog] = useState<ShellDialog | null>(null)
  const sidebar = useSidebar()
  const { isSessionExpired } = useConnection()
  useSessionWatch()
  useFocusOnNavigation('content')
  useKeyboard()
  useShellActions({ dialog, open: setDialog, sidebar })
  const close = () => setDialog(null)
  const Opened = dialog && DIALOGS[dialog]
  return (
    <AppShell
      header={{ height: { base: HEADER_HEIGHT, md: 0 } }}
      navbar={{
        width: sidebar.isCollapsed ? COLLAPSED_WIDTH : SIDEBAR_WIDTH,
        breakpoint: 'md',
        collapsed: { mobile: !isOpen },
      }}
      padding={{ base: 'md', lg: 'lg' }}
      transitionDuration={0}
      onKeyDown={navigation.onKeyDown}
    >
      <a href="#content" className="skip-link">
        {strings.skipToContent}
      </a>
      <AppShell.Header hiddenFrom="md">
        <Group h="100%" px="xs" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              ref={button}
              opened={isOpen}
              onClick={navigation.toggle}
              size="sm"
              aria-label={strings.openNavigation}
              aria-expanded={isOpen}
            />
            <UnreadDot />
            <Mark />
          </Group>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={keyboard.paletteButton}
              onClick={() => setDialog('palette')}
            >
              <IconSearch size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={strings.feedback}
              onClick={() => setDialog('feedback')}
            >
              <IconMessage2 size={18} aria-hidden />
            </ActionIcon>
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {/* While closed, it is off screen and must not be reachable with Tab. */}
      <AppShell.Navbar aria-label={strings.navigation} visibleFrom={isOpen ? undefined : 'md'}>
        <Sidebar {...sidebar} isOpen={isOpen} close={navigation.close} open={setDialog} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="content" onFocus={navigation.close}>
        <ConnectionBanner />
        <Outlet />
      </AppShell.Main>
      <UnloadWarning />
      {isSessionExpired && (
        <LazyDialog close={dismissSessionExpired}>
          <SessionExpired close={dismissSessionExpired} />
        </LazyDialog>
      )}
      <BulkActionWatch />
      <FileDrop />
      <UploadTray />
      <ActionNotices />
      <LiveUpdates />
      <TimeZone />
      {Opened && (
        <LazyDialog close={close}>
          <Opened close={close} />
        </LazyDialog>
      )}
    </AppShell>
  )
}

/** Has the browser ask before the tab is closed or reloaded while changes are not saved. */
function UnloadWarning() {
  const isUnsaved = useIsMutating(unsavedChanges) > 0
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  return null
}
