import { useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/trash.ts'
import { type Deal, service } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { companyNameOf } from '../../deals.ts'

interface DeleteDealProps {
  deal: Deal
  /** Called if the dialog is still open. */
  onDeleted: () => void
  close: () => void
}

/** Asks before a deal is deleted. */
export function DeleteDeal({ deal, onDeleted, close }: DeleteDealProps) {
  const queryClient = useQueryClient()
  const act = async (isShown: () => boolean) => {
    await service.deleteDeal({ params: { id: deal.id } })
    if (isShown()) onDeleted()
    for (const queryKey of [['deals'], ['companies', 'one', deal.company_id], ['stats'], ['activity']])
      queryClient.invalidateQueries({ queryKey })
  }
  return (
    <ConfirmDialog
      title={strings.deleteDealTitle(companyNameOf(deal))}
      confirm={strings.deleteDeal}
      isDangerous
      act={act}
      close={close}
    >
      {strings.deleteDealHelp} {strings.canRestore}
    </ConfirmDialog>
  )
}
