import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/actions.ts'
import { queries } from '#web/api/queries.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { SkippedRecords } from './skipped-records.tsx'
import { useUndo } from './use-undo.ts'

interface UndoDialogProps {
  /** The action. */
  id: string
  /** Whether the action is an undo itself. */
  isRedo?: boolean
  close: () => void
}

/** Shows what undoing an action would change, and undoes it. */
export default function UndoDialog({ id, isRedo = false, close }: UndoDialogProps) {
  const preview = useQuery(queries.undoPreview(id))
  const undo = useUndo(true)
  return (
    <ConfirmDialog
      title={isRedo ? strings.redoTitle : strings.undoTitle}
      confirm={isRedo ? strings.redo : strings.undo}
      isDisabled={!preview.data || preview.data.reverted === 0}
      act={() => undo.mutateAsync(id)}
      close={close}
    >
      <Stack gap="sm">
        <Text size="sm">{strings.undoHelp}</Text>
        {preview.isPending && (
          <>
            <Text size="sm" c="dimmed">
              {strings.checking}
            </Text>
            <SkeletonLines lines={2} />
          </>
        )}
        {preview.isError && <ErrorState error={preview.error} retry={() => preview.refetch()} />}
        {preview.data && (
          <Text size="sm" fw={600} role="status">
            {preview.data.reverted > 0 ? strings.wouldUndo(preview.data.reverted) : strings.wouldUndoNothing}
          </Text>
        )}
        {preview.data && preview.data.skipped.length > 0 && (
          <SkippedRecords
            title={strings.wouldSkip(preview.data.skipped.length + preview.data.skipped_omitted)}
            skipped={preview.data.skipped}
            omitted={preview.data.skipped_omitted}
            actionId={id}
          />
        )}
      </Stack>
    </ConfirmDialog>
  )
}
