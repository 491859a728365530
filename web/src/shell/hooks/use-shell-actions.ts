import { useNavigate } from '@tanstack/react-router'
import { flushSync } from 'react-dom'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/keyboard.ts'
import { strings as notes } from '#strings/notes.ts'
import { strings as people } from '#strings/people.ts'
import { strings as tasks } from '#strings/tasks.ts'
import { useCan } from '#web/api/use-can.ts'
import { type Action, useActions } from '#web/keyboard/actions.ts'
import { isModalOpen } from '#web/keyboard/use-keyboard.ts'
import { listPosition } from '#web/lists/list-position.ts'
import { NEW_TASK_KEY } from '#web/tasks/task-keys.tsx'
import { useScreens } from '../screens.ts'
import type { SidebarState } from './use-sidebar.ts'
import { useUndoLatest } from './use-undo-latest.ts'

export type ShellDialog =
  | ('feedback' | 'palette' | 'help')
  | ('company' | 'person' | 'note' | 'call' | 'meeting' | 'task')

interface ShellActionsProps {
  dialog: ShellDialog | null
  open: (dialog: ShellDialog | null) => void
  sidebar: SidebarState
}

/** The actions of every screen: navigation, the palette, the keyboard help, undo, and a new company. */
export function useShellActions({ dialog, open, sidebar }: ShellActionsProps): void {
  const navigate = useNavigate()
  const undoLatest = useUndoLatest()
  const mayWrite = useCan('write')
  const group = strings.workspace
  const screens = useScreens()
    .flat()
    .map(
      ({ to, label, keys }): Action => ({
        id: `go ${to}`,
        label,
        group: strings.goTo,
        keys,
        run: () => navigate({ to }),
      }),
    )
  useActions(
    [
      {
        id: 'palette',
        label: strings.openPalette,
        group,
        keys: ['mod+k'],
        run: () => {
          if (dialog === 'palette') open(null)
          else if (!isModalOpen()) {
            closeOverlays()
            open('palette')
          }
        },
        isHidden: true,
      },
      {
        id: 'search',
        label: strings.searchCompanies,
        group,
        keys: ['/'],
        run: () => {
          listPosition.wantSearch()
          navigate({ to: '/companies' })
        },
      },
      mayWrite && {
        id: 'new-company',
        label: strings.newCompany,
        group,
        keys: ['c'],
        run: () => open('company'),
      },
      mayWrite && { id: 'new-person', label: people.newPerson, group, run: () => open('person') },
      // On the page of a record, the same actions are about the record, and have keys.
      mayWrite && { id: 'new-note', label: notes.newOf.note, group, run: () => open('note') },
      mayWrite && { id: 'log-call', label: notes.newOf.call, group, run: () => open('call') },
      mayWrite && { id: 'log-meeting', label: notes.newOf.meeting, group, run: () => open('meeting') },
      mayWrite && {
        ...{ id: 'new-task', label: tasks.newTask, group, keys: [NEW_TASK_KEY] },
        run: () => open('task'),
      },
      mayWrite && { id: 'undo', label: strings.undo, group, keys: ['z'], run: undoLatest },
      {
        id: 'sidebar',
        label: sidebar.isCollapsed ? strings.expand : strings.collapse,
        group,
        keys: ['['],
        run: sidebar.toggle,
      },
      { id: 'feedback', label: strings.sendFeedback, group, run: () => open('feedback') },
      { id: 'help', label: strings.help, group, keys: ['?'], run: () => open('help') },
      ...screens,
      mayWrite && {
        id: 'go import',
        label: general.importCompanies,
        group: strings.goTo,
        run: () => navigate({ to: '/companies/import' }),
      },
    ],
    'shell',
  )
}

/**
 * Closes open menus and popovers like a click elsewhere. At once, because they give back the focus that they find when they
 * close, and would take it from a dialog.
 */
function closeOverlays(): void {
  flushSync(() => document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })))
}
