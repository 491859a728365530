import { useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/trash.ts'
import { service, type TrashEntry } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks before a record is removed for good. */
export function PurgeDialog({ entry: { id, name }, close }: { entry: TrashEntry; close: () => void }) {
  const queryClient = useQueryClient()
  const act = async () => {
    await service.purgeRecord({ params: { id } })
    for (const resource of ['trash', 'activity']) queryClient.invalidateQueries({ queryKey: [resource] })
  }
  return (
    <ConfirmDialog
      title={strings.purgeTitle(name)}
      confirm={strings.purgeConfirm}
      isDangerous
      act={act}
      close={close}
    >
      {strings.purgeHelp}
    </ConfirmDialog>
  )
}
