import { strings } from '#strings/keyboard.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useChangeCompanies } from '../../hooks/use-change-companies.ts'
import { type RefusedChange, refusedChanges } from '../../refused-changes.ts'
import { recounted } from '../../triaged.ts'

/** Asks again after another number of companies matched than the user saw. A second refusal asks once more. */
export function RecountDialog({ refused }: { refused: RefusedChange }) {
  const { triaged, changes, error } = refused
  const change = useChangeCompanies()
  return (
    <ConfirmDialog
      title={strings.recountTitle}
      confirm={strings.change(error.count)}
      isDisabled={error.count === 0}
      act={async () => change.mutate({ triaged: recounted(triaged, error), changes })}
      close={() => refusedChanges.remove(refused)}
    >
      {error.message} {strings.recount(error.count)}
    </ConfirmDialog>
  )
}
