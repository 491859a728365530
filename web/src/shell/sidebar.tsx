import { ActionIcon } from '@mantine/core'
import {
  IconCode,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMessage2,
  IconSearch,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { strings } from '#strings/general.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { ariaKeys, Keys } from '#web/keyboard/keys.tsx'
import { ViewLinks } from '#web/views/view-links.tsx'
import type { ViewEntity } from '#web/views/view-queries.ts'
import { entityOf } from '#web/views/view-screens.ts'
import { AccountMenu } from './account-menu.tsx'
import type { ShellDialog } from './hooks/use-shell-actions.ts'
import type { SidebarState } from './hooks/use-sidebar.ts'
import { Mark } from './mark.tsx'
import { type Screen, useScreens } from './screens.ts'
import classes from './sidebar.module.css'
import { UnreadCount } from './unread-count.tsx'

const PALETTE_KEYS = ['mod+k']

interface SidebarProps extends SidebarState {
  /** Whether it covers a narrow screen, where it always has labels. */
  isOpen: boolean
  close: () => void
  open: (dialog: ShellDialog) => void
}

/** The workspace, the command palette, the screens, and the account. */
export function Sidebar({ isCollapsed, toggle, isOpen, close, open }: SidebarProps) {
  const sections = useScreens()
  const Toggle = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={classes.sidebar} data-collapsed={(isCollapsed && !isOpen) || undefined}>
      <div className={classes.head}>
        <Mark />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          visibleFrom="md"
          aria-label={isCollapsed ? keyboard.expand : keyboard.collapse}
          aria-keyshortcuts="["
          title={`${isCollapsed ? keyboard.expand : keyboard.collapse} ([)`}
          onClick={toggle}
        >
          <Toggle size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      <button
        type="button"
        className={classes.search}
        onClick={() => {
          close()
          open('palette')
        }}
        aria-keyshortcuts={ariaKeys(PALETTE_KEYS)}
        title={keyboard.paletteButton}
      >
        <IconSearch size={16} aria-hidden />
        <span className={classes.label}>{keyboard.paletteButton}</span>
        <span className={classes.hint} aria-hidden>
          <Keys keys={PALETTE_KEYS} />
        </span>
      </button>
      <div className={classes.screens}>
        {sections.map((screens) => (
          <ul key={screens[0]?.to} className={classes.section}>
            {screens.map((screen) => (
              <li key={screen.to}>
                <ScreenItem {...screen} close={close} />
                <ScreenViews entity={entityOf(screen.to)} />
              </li>
            ))}
          </ul>
        ))}
      </div>
      <div className={classes.foot}>
        <button
          type="button"
          className={classes.item}
          onClick={() => open('feedback')}
          title={strings.feedback}
        >
          <IconMessage2 size={18} stroke={1.6} aria-hidden />
          <span className={classes.label}>{strings.feedback}</span>
        </button>
        <a href="/docs" className={classes.item} title={strings.apiDocumentation}>
          <IconCode size={18} stroke={1.6} aria-hidden />
          <span className={classes.label}>{strings.apiDocumentation}</span>
        </a>
        <div className={classes.account}>
          <AccountMenu hasName />
        </div>
      </div>
    </div>
  )
}

/** The views of a screen that shows views. */
const ScreenViews = ({ entity }: { entity: ViewEntity | undefined }) =>
  entity && (
    <div className={classes.views}>
      <ViewLinks entity={entity} />
    </div>
  )

function ScreenItem({ to, label, Icon, close }: Screen & { close: () => void }) {
  return (
    <Link
      to={to}
      className={classes.item}
      activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      onClick={close}
      title={label}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={classes.label}>{label}</span>
      {to === '/inbox' && <UnreadCount />}
    </Link>
  )
}
