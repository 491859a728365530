import { Button, Stack, Text } from '@mantine/core'
import { strings } from '#strings/general.ts'
import { Dialog } from '#web/ui/dialog.tsx'

/** Asks to sign in again in another tab, so that nothing that was typed here is lost. */
export default function SessionExpired({ close }: { close: () => void }) {
  return (
    <Dialog
      onClose={close}
      title={strings.sessionOver}
      centered
      // Above every other dialog, such as the one whose text could not be saved.
      zIndex={1000}
    >
      <Stack>
        <Text size="sm">{strings.sessionOverExplained}</Text>
        <Button component="a" href="/" target="_blank" rel="noopener">
          {strings.signInAgain}
        </Button>
      </Stack>
    </Dialog>
  )
}
