import { ActionIcon } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconMail, IconMailOpened } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { strings } from '#strings/inbox.ts'
import type { Notification } from '#web/api/service.ts'
import { listPosition } from '#web/lists/list-position.ts'
import { Age } from '#web/ui/age.tsx'
import type { Mark } from '../hooks/use-marks.ts'
import classes from '../inbox.module.css'
import { notificationAddress, unnamedRecords } from '../notification-address.ts'
import { NotificationIcon } from './notification-icon.tsx'

/** The name of the list for returning to a row. */
export const INBOX = '/inbox'

interface NotificationRowProps {
  notification: Notification
  mark: (mark: Mark, notification: Notification) => void
}

/** A notification: a click anywhere opens what it is about, and marks it as read. */
export function NotificationRow({ notification, mark }: NotificationRowProps) {
  const { id, kind, text, at, read_at, done_at } = notification
  const { history } = useRouter()
  const address = notificationAddress(notification)
  const names = unnamedRecords(notification)
  const isUnread = read_at === null && done_at === null
  const markRead = () => {
    listPosition.moveTo(id, INBOX)
    if (read_at === null) mark('read', notification)
  }
  const open = (event: MouseEvent) => {
    markRead()
    // The browser opens it in a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    history.push(address)
  }
  return (
    <li className={classes.row} data-unread={isUnread || undefined}>
      <span className={classes.dot} {...(isUnread && { role: 'img', 'aria-label': strings.isUnread })} />
      <NotificationIcon kind={kind} />
      <div className={classes.text}>
        <a
          href={address}
          data-record={id}
          className={classes.link}
          dir="auto"
          onClick={open}
          onAuxClick={({ button }) => button === 1 && markRead()}
        >
          {text}
        </a>
        {names.length > 0 && (
          <span className={classes.names} dir="auto">
            {names.join(' · ')}
          </span>
        )}
      </div>
      <Age timestamp={at} size="xs" c="dimmed" className={classes.age} />
      <div className={classes.actions}>
        {done_at === null && (
          <RowButton
            label={isUnread ? strings.markRead : strings.markUnread}
            text={text}
            keyName="u"
            act={() => mark(isUnread ? 'read' : 'unread', notification)}
          >
            {isUnread ? <IconMailOpened size={16} aria-hidden /> : <IconMail size={16} aria-hidden />}
          </RowButton>
        )}
        <RowButton
          label={done_at === null ? strings.markDone : strings.markUndone}
          text={text}
          keyName="e"
          act={() => mark(done_at === null ? 'done' : 'undone', notification)}
        >
          {done_at === null ? <IconCheck size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
        </RowButton>
      </div>
    </li>
  )
}

interface RowButtonProps {
  label: string
  text: string
  keyName: string
  act: () => void
  children: React.ReactNode
}

const RowButton = ({ label, text, keyName, act, children }: RowButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={28}
    aria-label={strings.markOf(label, text)}
    title={`${label} (${keyName})`}
    onClick={act}
  >
    {children}
  </ActionIcon>
)
