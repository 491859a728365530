import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/inbox.ts'
import { hideNotice, showNotice } from '#web/activity/notice.tsx'
import { latestChanges } from '#web/api/live/latest-changes.ts'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { type InboxFilter, notificationQueries } from '#web/api/notification-queries.ts'
import { type Notification, type NotificationPage, service } from '#web/api/service.ts'

export type Mark = 'read' | 'unread' | 'done' | 'undone'

const SEND = {
  read: service.markNotificationsRead,
  unread: service.markNotificationsUnread,
  done: service.markNotificationsDone,
  undone: service.markNotificationsUndone,
}

const ALL = ['notifications']
const UNREAD = notificationQueries.unread().queryKey
/** One at a time, so that the latest mark of a notification wins, and no refetch comes in between. */
const QUEUE = { mutationKey: ['mark-notifications'], scope: { id: 'notifications' } }

interface Marked {
  mark: Mark
  notifications: readonly Notification[]
}

/** Marks notifications. A mark shows at once, and is taken back if it cannot be saved. */
export function useMarks(): { mark: (mark: Mark, notification: Notification) => void } {
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: ALL })
  const put = useShowMark()
  const undo = useMutation({
    ...QUEUE,
    mutationFn: (undoThis: () => Promise<void>) => undoThis(),
    onError: hideNotice,
    onSettled: refetch,
  })
  const { mutate } = useMutation({
    ...QUEUE,
    mutationFn: async ({ mark, notifications }: Marked) =>
      (await SEND[mark]({ body: { ids: notifications.map(({ id }) => id) } })).data,
    onMutate: put,
    onSuccess: ({ unread }, { mark, notifications }) => {
      if (queryClient.isMutating(QUEUE) === 1) queryClient.setQueryData(UNREAD, unread)
      if (mark === 'done' || mark === 'undone') offerUndo(mark, notifications, undo.mutate)
    },
    onError: refetch,
    onSettled: () => refreshAfterOwnChange({ kind: 'notification', id: null }),
  })
  return { mark: (mark, notification) => mutate({ mark, notifications: [notification] }) }
}

/** Marks all notifications up to the newest one on screen as read: those that arrive in between stay unread. */
export function useMarkAllRead() {
  const queryClient = useQueryClient()
  const put = useShowMark()
  return useMutation({
    ...QUEUE,
    mutationFn: async ({ notifications }: Marked) =>
      (await service.markNotificationsRead({ body: { before: notifications[0]?.at ?? '' } })).data,
    onMutate: put,
    onSuccess: ({ unread }) => queryClient.setQueryData(UNREAD, unread),
    onError: () => queryClient.invalidateQueries({ queryKey: ALL }),
    onSettled: () => refreshAfterOwnChange({ kind: 'notification', id: null }),
  })
}

function offerUndo(
  mark: 'done' | 'undone',
  notifications: readonly Notification[],
  undo: (undoThis: () => Promise<void>) => void,
): void {
  const opposite = mark === 'done' ? 'undone' : 'done'
  const undoThis = latestChanges.addWithoutAction(async () => {
    const unread = notifications.filter(({ read_at }) => read_at === null)
    await SEND[opposite]({ body: { ids: notifications.map(({ id }) => id) } })
    // What is done counts as read.
    if (mark === 'done' && unread.length > 0) await SEND.unread({ body: { ids: unread.map(({ id }) => id) } })
    showNotice({ text: mark === 'done' ? strings.isUndone : strings.isDone })
  })
  showNotice({ text: mark === 'done' ? strings.isDone : strings.isUndone, undo: () => undo(undoThis) })
}

/** Shows a mark in the loaded lists and in the number of unread notifications. */
function useShowMark(): (marked: Marked) => Promise<void> {
  const queryClient = useQueryClient()
  return async ({ mark, notifications }) => {
    // A response from before the mark would take it back.
    await queryClient.cancelQueries({
      predicate: ({ queryKey, state }) => queryKey[0] === ALL[0] && state.data !== undefined,
    })
    const ids = new Set(notifications.map(({ id }) => id))
    const now = new Date().toISOString()
    for (const [queryKey, list] of queryClient.getQueriesData<InfiniteData<NotificationPage>>({
      queryKey: [...ALL, 'list'],
    })) {
      if (!list) continue
      const shown = queryKey[2] as InboxFilter
      const pages = list.pages.map((page) => ({
        ...page,
        data: page.data.flatMap((one) => (ids.has(one.id) ? marked(one, mark, now, shown) : one)),
      }))
      queryClient.setQueryData(queryKey, { ...list, pages })
    }
    const change = notifications.reduce((sum, one) => sum + unreadChange(one, mark), 0)
    queryClient.setQueryData<number>(UNREAD, (unread) =>
      unread === undefined ? undefined : Math.max(0, unread + change),
    )
  }
}

/** Nothing, if it leaves the list. What has been read stays in the list of unread ones until it is loaded again. */
function marked(one: Notification, mark: Mark, now: string, shown: InboxFilter): Notification[] {
  if (mark === 'read') return [{ ...one, read_at: one.read_at ?? now }]
  if (mark === 'unread') return [{ ...one, read_at: null }]
  if (mark === 'done' ? shown !== 'done' : shown === 'done') return []
  return [{ ...one, done_at: mark === 'done' ? now : null }]
}

function unreadChange({ read_at, done_at }: Notification, mark: Mark): number {
  if (done_at !== null) return 0
  if (mark === 'unread') return read_at === null ? 0 : 1
  return read_at === null && mark !== 'undone' ? -1 : 0
}
