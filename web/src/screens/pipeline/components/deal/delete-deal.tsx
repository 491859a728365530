import { useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/trash.ts'
import { type Deal, service } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { companyNameOf } from '../../deals.ts'
import { useOpenDeal } from '../../hooks/use-open-deal.ts'

/** Asks before a deal is deleted. */
export function DeleteDeal({ deal, close }: { deal: Deal; close: () => void }) {
  const queryClient = useQueryClient()
  const openDeal = useOpenDeal()
  const act = async (isShown: () => boolean) => {
    await service.deleteDeal({ params: { id: deal.id } })
    if (isShown()) openDeal(null)
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
