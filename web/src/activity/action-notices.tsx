import { Anchor, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CompletedAction } from '#src/client/client.ts'
import { strings } from '#strings/actions.ts'
import { lastAction } from '#web/service/last-action.ts'
import { queryClient } from '#web/service/query-client.ts'
import { actionText } from './action-text.ts'
import { useUndo } from './use-undo.ts'

const AUTO_CLOSE_MS = 10_000
/** What the actions of this tab change besides the records, whose screens refresh themselves. */
const DEPENDENT_QUERIES = ['actions', 'history', 'trash']

/** The id of the notice on screen. A new one replaces it. */
let shown: string | null = null

/**
 * Shows a notice for everything that this tab changes, with a button that undoes it. This is the only place that does
 * so: screens call `service` and need no notices of their own.
 */
export function ActionNotices() {
  const navigate = useNavigate()
  const { mutate: undo } = useUndo()
  useEffect(() => {
    const showLast = () => {
      const { done } = lastAction.get()
      if (!done) return
      lastAction.set({ done: null })
      for (const resource of DEPENDENT_QUERIES) queryClient.invalidateQueries({ queryKey: [resource] })
      showNotice(done, {
        undo: () => undo(done.id, { onError: hideNotice }),
        open: () => {
          hideNotice()
          navigate({ to: '/activity/actions/$id', params: { id: done.id } })
        },
      })
    }
    showLast()
    return lastAction.subscribe(showLast)
  }, [navigate, undo])
  return null
}

interface NoticeActions {
  undo: () => void
  /** Opens the page of the action. */
  open: () => void
}

function showNotice(done: CompletedAction, { undo, open }: NoticeActions): void {
  const text = actionText(done)
  if (text === null) return
  hideNotice()
  const undoThis = () => {
    hideNotice()
    shown = notifications.show({ message: strings.undoing, loading: true, autoClose: false })
    undo()
  }
  shown = notifications.show({
    autoClose: AUTO_CLOSE_MS,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={4} className="break-anywhere" dir="auto" c="var(--mantine-color-text)">
          {text}{' '}
          <Anchor
            href={`/activity/actions/${done.id}`}
            size="sm"
            underline="always"
            onClick={(event) => {
              event.preventDefault()
              open()
            }}
          >
            {strings.details}
          </Anchor>
        </Text>
        {done.operation !== 'purgeRecord' && (
          <Button size="compact-sm" variant="default" onClick={undoThis} style={{ flexShrink: 0 }}>
            {done.operation === 'undoAction' ? strings.redo : strings.undo}
          </Button>
        )}
      </Group>
    ),
  })
}

function hideNotice(): void {
  if (shown !== null) notifications.hide(shown)
  shown = null
}
