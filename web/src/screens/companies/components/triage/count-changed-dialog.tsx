import { strings } from '#strings/keyboard.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useChangeCompanies } from '../../hooks/use-change-companies.ts'
import { type RejectedChange, rejectedChanges } from '../../rejected-changes.ts'
import { withNewCount } from '../../shortcut-targets.ts'

/** Asks again after another number of companies matched than the user saw. A second refusal asks once more. */
export function CountChangedDialog({ refused }: { refused: RejectedChange }) {
  const { targets, changes, error } = refused
  const change = useChangeCompanies()
  return (
    <ConfirmDialog
      title={strings.recountTitle}
      confirm={strings.change(error.count)}
      isDisabled={error.count === 0}
      act={async () => change.mutate({ targets: withNewCount(targets, error), changes })}
      close={() => rejectedChanges.remove(refused)}
    >
      {error.message} {strings.recount(error.count)}
    </ConfirmDialog>
  )
}
