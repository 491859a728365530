import type { RefObject } from 'react'
import { strings } from '#strings/inbox.ts'
import type { Notification } from '#web/api/service.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { useItemFocus } from '#web/lists/use-item-focus.ts'
import { INBOX } from '../components/notification-row.tsx'
import type { Mark } from './use-marks.ts'

interface InboxKeys {
  notifications: readonly Notification[]
  list: RefObject<HTMLElement | null>
  mark: (mark: Mark, notification: Notification) => void
  markAllRead: () => void
  mayMarkAll: boolean
}

/**
 * The keys of the Inbox. They move the focus between notifications, and act on the focused one. If none has the focus, they
 * focus the first. When the focused one leaves the list, the focus goes to the next one.
 */
export function useInboxKeys({ notifications, list, mark, markAllRead, mayMarkAll }: InboxKeys): void {
  const focus = useItemFocus(list, notifications, INBOX)
  const step = (by: 1 | -1) => focus.on(Math.max(0, focus.index() + by))
  const act = (change: (notification: Notification) => void, isLeaving = false) => {
    const at = focus.index()
    if (at < 0) return focus.on(0)
    const focused = notifications.find(({ id }) => id === focus.idAt(at))
    if (!focused) return
    change(focused)
    if (isLeaving) focus.leave(at)
  }
  const here = { group: strings.group, within: list, isHidden: true }
  useActions([
    { id: 'next-notification', label: strings.next, keys: ['j', 'ArrowDown'], run: () => step(1), ...here },
    {
      ...{ id: 'previous-notification', label: strings.previous, keys: ['k', 'ArrowUp'], ...here },
      run: () => step(-1),
    },
    {
      // Only where no link has the focus, which opens it without this.
      ...{ id: 'open-notification', label: strings.open, keys: ['Enter'], ...here },
      run: () => focus.on(Math.max(0, focus.index())),
    },
    {
      ...{ id: 'notification-done', label: strings.toggleDone, keys: ['e'], ...here },
      run: () => act((one) => mark(one.done_at === null ? 'done' : 'undone', one), true),
    },
    {
      ...{ id: 'notification-read', label: strings.toggleRead, keys: ['u'], ...here },
      run: () => act((one) => one.done_at === null && mark(one.read_at === null ? 'read' : 'unread', one)),
    },
    {
      ...{ id: 'mark-all-read', label: strings.markAllRead, group: strings.group, keys: ['U'] },
      ...{ run: markAllRead, disabled: !mayMarkAll },
    },
  ])
}
