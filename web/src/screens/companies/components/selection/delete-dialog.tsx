import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { strings as companies } from '#strings/companies.ts'
import { strings } from '#strings/trash.ts'
import { service } from '#web/api/service.ts'
import { changeTarget, countOf, sendExpecting } from '#web/bulk-actions/target.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MAX_SELECTED, selection } from '../../selection.ts'
import { type ShortcutTargets, targetOf, textOf, withNewCount } from '../../shortcut-targets.ts'

interface DeleteDialogProps {
  targets: ShortcutTargets
  close: () => void
  onDeleted?: (() => void) | undefined
}

/** Asks before the selected companies are deleted, and says what goes with them. */
export function DeleteDialog({ targets: chosen, close, onDeleted }: DeleteDialogProps) {
  const [targets, setTriaged] = useState(chosen)
  const queryClient = useQueryClient()
  const target = targetOf(targets)
  const count = countOf(target)
  const act = async (isShown: () => boolean) => {
    try {
      await sendExpecting(target, () => service.deleteCompanies({ body: changeTarget(target) }))
    } catch (error) {
      setTriaged(withNewCount(targets, error))
      selection.adopt(target, error)
      throw error
    }
    selection.afterDelete(target)
    if (isShown()) onDeleted?.()
    for (const resource of ['companies', 'deals', 'stats', 'activity'])
      queryClient.invalidateQueries({ queryKey: [resource] })
  }
  return (
    <ConfirmDialog
      title={strings.deleteCompanyTitle(textOf(targets))}
      confirm={strings.deleteCompanies(count)}
      isDangerous
      isDisabled={count === 0 || count > MAX_SELECTED}
      act={act}
      close={close}
    >
      {count > MAX_SELECTED
        ? companies.selectionLimit(MAX_SELECTED)
        : `${strings.deleteCompaniesHelp(count)} ${strings.canRestore}`}
    </ConfirmDialog>
  )
}
