import { useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/trash.ts'
import { type CompanyDetail, service } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

export interface DeleteCompanyProps {
  detail: CompanyDetail
  onDeleted: () => void
  close: () => void
}

/** Asks before the company is deleted, and says what goes with it. */
export default function DeleteCompany({ detail: { company, deals }, onDeleted, close }: DeleteCompanyProps) {
  const queryClient = useQueryClient()
  const act = async (isShown: () => boolean) => {
    await service.deleteCompany({ params: { id: company.id } })
    if (isShown()) onDeleted()
    for (const resource of ['companies', 'deals', 'stats', 'activity'])
      queryClient.invalidateQueries({ queryKey: [resource] })
  }
  return (
    <ConfirmDialog
      title={strings.deleteCompanyTitle(company.name)}
      confirm={strings.deleteCompany}
      isDangerous
      act={act}
      close={close}
    >
      {strings.deleteCompanyHelp(deals.length)} {strings.canRestore}
    </ConfirmDialog>
  )
}
