import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/views.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { formatAge } from '#web/format/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import type { View } from './view-queries.ts'

interface ConflictDialogProps {
  /** The view as someone else saved it. */
  view: View
  overwrite: () => Promise<void>
  saveAs: () => void
  close: () => void
}

/** Someone else, or another tab, saved the view first: nothing is overwritten unasked. */
export default function ConflictDialog({ view, overwrite, saveAs, close }: ConflictDialogProps) {
  const isShown = useIsMounted()
  const overwriting = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: overwrite,
    onSuccess: () => {
      if (isShown()) close()
    },
  })
  return (
    <Dialog onClose={close} title={strings.conflictTitle} centered>
      <Stack>
        <Text size="sm" className="break-anywhere">
          {strings.conflict(view.name, view.updated_by_email, formatAge(view.updated_at))}
        </Text>
        {overwriting.isError && (
          <Alert color="red" title={general.notSaved} role="alert">
            {errorMessage(overwriting.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {general.cancel}
          </Button>
          <Button variant="default" loading={overwriting.isPending} onClick={() => overwriting.mutate()}>
            {strings.overwrite}
          </Button>
          <Button onClick={saveAs} data-autofocus>
            {strings.saveAs}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
