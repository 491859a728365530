import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { strings } from '#strings/import.ts'

/** Asks before the user leaves or closes the page while a file is being uploaded. */
export function LeaveDialog({ isNeeded }: { isNeeded: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isNeeded,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={strings.leaveTitle} centered>
      <Stack>
        <Text size="sm">{strings.leaveHelp}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            {strings.stay}
          </Button>
          <Button color="red.9" onClick={() => proceed?.()}>
            {strings.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
