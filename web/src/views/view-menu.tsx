import { Menu } from '@mantine/core'
import {
  IconArrowLeft,
  IconArrowRight,
  IconCopy,
  IconEyeCheck,
  IconHome,
  IconHomeOff,
  IconLock,
  IconPencil,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { strings } from '#strings/views.ts'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import type { OpenView } from './hooks/use-open-view.ts'
import type { ViewActions } from './hooks/use-view-actions.ts'
import { notify } from './notify.ts'

export type ViewDialogKind = 'save-as' | 'rename' | 'delete'

interface ViewMenuProps {
  open: OpenView
  actions: ViewActions
  seen: { newCount: number; markNow: () => void }
  setDialog: (dialog: ViewDialogKind) => void
}

/** The actions for the open view, including moving its tab without dragging. */
export function ViewMenu({
  open: { view, views, rebase, base },
  actions,
  seen,
  setDialog,
  ...menu
}: ViewMenuProps & OverlayProps) {
  const at = views.findIndex(({ id }) => id === view?.id)
  const move = (by: number) => {
    const ids = views.map(({ id }) => id)
    const [id] = ids.splice(at, 1)
    if (id) ids.splice(at + by, 0, id)
    actions.order.mutate(ids)
  }
  const share = () => {
    if (!view) return
    const visibility = view.visibility === 'shared' ? 'private' : 'shared'
    const seenAt = base?.updated_at ?? view.updated_at
    actions.update.mutate(
      { id: view.id, changes: { visibility }, seenAt },
      { onSuccess: rebase, onError: notify },
    )
  }
  const hasDefault = views.some(({ is_default }) => is_default)
  const item = (Icon: typeof IconPencil, label: string, act: () => void, disabled = false): ReactNode => (
    <Menu.Item leftSection={<Icon size={14} aria-hidden />} onClick={act} disabled={disabled}>
      {label}
    </Menu.Item>
  )
  return (
    <AnchoredMenu {...menu} position="bottom-start" withinPortal shadow="md">
      <Menu.Dropdown>
        {view?.may_change && item(IconPencil, strings.rename, () => setDialog('rename'))}
        {item(IconCopy, view ? strings.saveAs : strings.saveAsView, () => setDialog('save-as'))}
        {view?.may_change &&
          (view.visibility === 'shared'
            ? item(IconLock, strings.makePrivate, share)
            : item(IconUsers, strings.share, share))}
        {view?.is_default
          ? item(IconHomeOff, strings.unsetDefault, () => actions.setDefault.mutate(null))
          : (view || hasDefault) &&
            item(IconHome, strings.setDefault, () => actions.setDefault.mutate(view?.id ?? null))}
        {view && (
          <>
            {item(IconArrowLeft, strings.moveLeft, () => move(-1), at <= 0)}
            {item(IconArrowRight, strings.moveRight, () => move(1), at === views.length - 1)}
            {seen.newCount > 0 && item(IconEyeCheck, strings.markSeen(seen.newCount), seen.markNow)}
          </>
        )}
        {view?.may_change && (
          <>
            <Menu.Divider />
            {item(IconTrash, strings.delete, () => setDialog('delete'))}
          </>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}
