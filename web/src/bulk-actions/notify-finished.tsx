import { Anchor, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { strings } from '#strings/bulk-actions.ts'
import { queries } from '#web/service/queries.ts'
import { queryClient } from '#web/service/query-client.ts'
import type { BulkAction } from '#web/service/service.ts'
import { actionName } from './action-labels.ts'

const COLORS: Record<string, string> = { completed: 'teal', failed: 'red', cancelled: 'gray' }

/** Ends that this tab has told of. An action that was tried again ends again, at another time. */
const told = new Set<string>()

/**
 * Tells once in this tab that an action has ended, and has what it changed read again.
 * @param open goes to the action
 */
export function notifyFinished(action: BulkAction, open: () => void): void {
  const end = `${action.id} ${action.completed_at}`
  if (told.has(end)) return
  told.add(end)
  for (const resource of ['companies', 'stats', 'activity', 'bulk-actions'])
    queryClient.invalidateQueries({ queryKey: [resource] })
  const { processed_companies, failed_companies, total_companies } = action
  const name = actionName(action.action_type)
  const title = (strings.ended as Record<string, (name: string) => string>)[action.status]?.(name) ?? name
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
          {strings.see}
        </Anchor>
      </Text>
    ),
  })
  notifyOutside(action.id, title, outcome, open)
}

/** A notification of the browser's, for readers who are elsewhere and want it. */
function notifyOutside(id: string, title: string, body: string, open: () => void): void {
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
    // Chrome on Android has the constructor and refuses to be called.
  }
}
