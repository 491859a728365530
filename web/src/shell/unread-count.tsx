import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/inbox.ts'
import { notificationQueries } from '#web/api/notification-queries.ts'
import classes from './sidebar.module.css'

const MAX_SHOWN = 99

const useUnread = (): number => useQuery(notificationQueries.unread()).data ?? 0

/** The number of unread notifications beside the Inbox; nothing if there are none. */
export function UnreadCount() {
  const unread = useUnread()
  if (unread === 0) return null
  return (
    <span className={classes.unread} role="img" aria-label={strings.unreadBadge(unread)}>
      {unread > MAX_SHOWN ? strings.manyUnread : unread}
    </span>
  )
}

/** Says beside the closed navigation that there are unread notifications. */
export function UnreadDot() {
  const unread = useUnread()
  if (unread === 0) return null
  return <span className={classes.unreadDot} role="img" aria-label={strings.unreadBadge(unread)} />
}
