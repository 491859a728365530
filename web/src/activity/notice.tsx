import { Anchor, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { strings } from '#strings/actions.ts'

const AUTO_CLOSE_MS = 10_000

/** The id of the notice on screen. A new one replaces it. */
let shown: string | null = null

interface Notice {
  text: string
  /** The page of the action. */
  details?: { href: string; open: () => void }
  /** Undoes the change. */
  undo?: () => void
  /** The change was an undo. */
  isUndo?: boolean
}

/** Shows a notice of what this tab has changed, with a button that undoes it. */
export function showNotice({ text, details, undo, isUndo = false }: Notice): void {
  hideNotice()
  const undoThis = () => {
    hideNotice()
    shown = notifications.show({ message: strings.undoing, loading: true, autoClose: false })
    undo?.()
  }
  shown = notifications.show({
    autoClose: AUTO_CLOSE_MS,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={4} className="break-anywhere" dir="auto" c="var(--mantine-color-text)">
          {text}{' '}
          {details && (
            <Anchor
              href={details.href}
              size="sm"
              underline="always"
              onClick={(event) => {
                event.preventDefault()
                hideNotice()
                details.open()
              }}
            >
              {strings.details}
            </Anchor>
          )}
        </Text>
        {undo && (
          <Button size="compact-sm" variant="default" onClick={undoThis} style={{ flexShrink: 0 }}>
            {isUndo ? strings.redo : strings.undo}
          </Button>
        )}
      </Group>
    ),
  })
}

/** Removes the notice from the screen. */
export function hideNotice(): void {
  if (shown !== null) notifications.hide(shown)
  shown = null
}
