import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/inbox.ts'
import { notificationQueries } from '#web/api/notification-queries.ts'
import classes from './sidebar.module.css'

const MAX_SHOWN = 99

/** The number of unread notifications beside the Inbox; nothing if there are none. */
export function UnreadCount() {
  const { data: unread = 0 } = useQuery(notificationQueries.unread())
  if (unread === 0) return null
  return (
    <span className={classes.unread} role="img" aria-label={strings.unreadBadge(unread)}>
      {unread > MAX_SHOWN ? strings.manyUnread : unread}
    </span>
  )
}
