import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { strings } from '#strings/trash.ts'
import { service, type Thesis } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks before a thesis is deleted. */
export function DeleteThesis({ thesis: { id, code }, close }: { thesis: Thesis; close: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const act = async (isShown: () => boolean) => {
    await service.deleteThesis({ params: { id } })
    if (isShown()) await navigate({ to: '/theses' })
    for (const resource of ['theses', 'companies', 'stats', 'activity'])
      queryClient.invalidateQueries({ queryKey: [resource] })
  }
  return (
    <ConfirmDialog
      title={strings.deleteThesisTitle(code)}
      confirm={strings.deleteThesis}
      isDangerous
      act={act}
      close={close}
    >
      {strings.deleteThesisHelp} {strings.canRestore}
    </ConfirmDialog>
  )
}
