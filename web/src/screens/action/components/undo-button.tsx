import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/actions.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { SkippedRecords } from '#web/activity/skipped-records.tsx'
import { useUndo } from '#web/activity/use-undo.ts'
import { queries } from '#web/api/queries.ts'
import type { Action } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'

/** Undoes an action, after showing what that would change. Undoing those of others needs permission to delete. */
export function UndoButton({ action }: { action: Action }) {
  const me = useQuery(queries.me())
  const mayWrite = useCan('write')
  const mayDelete = useCan('delete')
  const isOwn = me.data?.email === action.user_email
  const [isOpen, dialog] = useDisclosure(false)
  const mayUndo = action.undoable && mayWrite && (isOwn || mayDelete)
  const label = action.kind === 'undo' ? strings.redoThis : strings.undoThis
  useActions([mayUndo && { id: 'undo-action', label, group: keyboard.screen, run: dialog.open }])
  if (!mayUndo) return null
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={dialog.open}>
        {action.kind === 'undo' ? strings.redo : strings.undo}
      </Button>
      {isOpen && <UndoDialog action={action} close={dialog.close} />}
    </>
  )
}

function UndoDialog({ action: { id, kind }, close }: { action: Action; close: () => void }) {
  const preview = useQuery(queries.undoPreview(id))
  const undo = useUndo(true)
  const isRedo = kind === 'undo'
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
