import { Anchor, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { strings } from '#strings/bulk-actions.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { BulkAction } from '#web/api/service.ts'
import { actionName } from './action-labels.ts'

const COLORS: Record<string, string> = { completed: 'teal', failed: 'red', cancelled: 'gray' }

/** The actions that this tab has announced. A retried action finishes again, at a different time. */
const notified = new Set<string>()

/**
 * Notifies once per tab that an action has finished, and refetches what it may have changed.
 * @param open navigates to the action
 */
export function notifyFinished(action: BulkAction, open: () => void): void {
  const key = `${action.id} ${action.completed_at}`
  if (notified.has(key)) return
  notified.add(key)
  for (const resource of ['companies', 'stats', 'activity', 'bulk-actions'])
    queryClient.invalidateQueries({ queryKey: [resource] })
  const { processed_companies, failed_companies, total_companies } = action
  const name = actionName(action.action_type)
  const title = (strings.finished as Record<string, (name: string) => string>)[action.status]?.(name) ?? name
  const outcome = strings.outcome(processed_companies, failed_companies, total_companies)
  notifications.show({
    color: COLORS[action.status] ?? 'gray',
    title,
    autoClose: 10_000,
    message: (
      <Text size="sm" component="span" c="var(--mantine-color-text)">
        {outcome}{' '}
        <Anchor
          href={`/bulk-actions/${action.id}`}
          size="sm"
          underline="always"
          onClick={(event) => {
            event.preventDefault()
            open()
          }}
        >
          {strings.view}
        </Anchor>
      </Text>
    ),
  })
  notifyInBrowser(action.id, title, outcome, open)
}

/** Shows a browser notification if the user wants one and this tab is hidden. */
function notifyInBrowser(id: string, title: string, body: string, open: () => void): void {
  const isWanted = queryClient.getQueryData(queries.me().queryKey)?.preferences.notifications_enabled ?? false
  if (!isWanted || !document.hidden || !('Notification' in window)) return
  if (Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { body, tag: id })
    notification.onclick = () => {
      window.focus()
      open()
      notification.close()
    }
  } catch {
    // Chrome on Android has the constructor but throws when it is called.
  }
}
