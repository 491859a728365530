import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { strings } from '#strings/company.ts'
import { strings as general } from '#strings/general.ts'

/** Says that something was removed, with a button to undo it. */
export function notifyRemoved(what: string, restore: () => void): void {
  const undo = () => {
    notifications.hide(notice)
    restore()
  }
  const notice = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" lineClamp={2} className="break-anywhere">
          {strings.removed(what)}
        </Text>
        <Button size="compact-sm" variant="default" onClick={undo}>
          {strings.undo}
        </Button>
      </Group>
    ),
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': general.close },
  })
}
