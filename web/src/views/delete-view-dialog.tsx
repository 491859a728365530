import { strings } from '#strings/views.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { ViewActions } from './hooks/use-view-actions.ts'
import type { View } from './view-queries.ts'

interface DeleteViewDialogProps {
  view: View
  actions: ViewActions
  deleted: () => void
  close: () => void
}

/** Asks before a view is deleted, which cannot be undone. */
export default function DeleteViewDialog({ view, actions, deleted, close }: DeleteViewDialogProps) {
  return (
    <ConfirmDialog
      title={strings.deleteTitle}
      confirm={strings.deleteConfirm}
      isDangerous
      act={async (isShown) => {
        await actions.remove.mutateAsync(view.id)
        if (isShown()) deleted()
      }}
      close={close}
    >
      {view.visibility === 'shared'
        ? strings.deleteShared(view.name, view.entity)
        : strings.deletePrivate(view.name, view.entity)}
    </ConfirmDialog>
  )
}
