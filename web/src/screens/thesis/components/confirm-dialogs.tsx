import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { strings } from '#strings/theses.ts'
import { Dialog } from '#web/ui/dialog.tsx'

/** Asks before the user leaves the screen or closes the tab with unsaved changes. */
export function ConfirmLeave({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Question title={strings.leaveTitle} text={strings.leaveHelp} close={blocker.reset}>
      <Button variant="default" onClick={blocker.proceed}>
        {strings.leave}
      </Button>
      <Button onClick={blocker.reset} data-autofocus>
        {strings.stay}
      </Button>
    </Question>
  )
}

/** Asks before changes are discarded. */
export function ConfirmDiscard({ discard, close }: { discard: () => void; close: () => void }) {
  return (
    <Question title={strings.discardTitle} text={strings.discardHelp} close={close}>
      <Button variant="default" onClick={close} data-autofocus>
        {strings.keepEditing}
      </Button>
      <Button color="red.9" onClick={discard}>
        {strings.discard}
      </Button>
    </Question>
  )
}

interface QuestionProps {
  title: string
  text: string
  close: () => void
  children: ReactNode
}

function Question({ title, text, close, children }: QuestionProps) {
  return (
    <Dialog onClose={close} title={title} centered>
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end" gap="xs">
          {children}
        </Group>
      </Stack>
    </Dialog>
  )
}
