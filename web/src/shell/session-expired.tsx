import { Button, Stack, Text } from '@mantine/core'
import { strings } from '#strings/general.ts'
import { useConnection } from '#web/api/connection.ts'
import { Dialog } from '#web/ui/dialog.tsx'

/** Asks the user to sign in again in another tab, so that no text is lost here. */
export default function SessionExpired({ close }: { close: () => void }) {
  const { sessionError } = useConnection()
  return (
    <Dialog
      onClose={close}
      title={strings.sessionExpired}
      centered
      // Above every other dialog, such as one whose text could not be saved.
      zIndex={1000}
    >
      <Stack>
        <Text size="sm" className="break-anywhere">
          {sessionError}
        </Text>
        <Text size="sm">{strings.sessionExpiredHelp}</Text>
        <Button component="a" href="/" target="_blank" rel="noopener">
          {strings.signInAgain}
        </Button>
      </Stack>
    </Dialog>
  )
}
