import { Alert, Button, Group } from '@mantine/core'
import { strings } from '#strings/views.ts'
import { ReturnFocus } from '#web/browser/focus.ts'
import { useFields } from '#web/filters/use-fields.ts'
import type { OpenView } from './hooks/use-open-view.ts'
import { useViewActions } from './hooks/use-view-actions.ts'
import { notify } from './notify.ts'
import type { View } from './view-queries.ts'
import classes from './views.module.css'

interface ViewNoticeProps {
  open: OpenView
  showAll: () => void
}

/** Says that the view does not exist, or which deleted things it uses. */
export function ViewNotice({ open, showAll }: ViewNoticeProps) {
  const { entity, view, isMissing } = open
  const { update } = useViewActions(entity)
  if (isMissing)
    return (
      <Alert color="orange" p="xs" role="alert" className={classes.notice}>
        <ReturnFocus />
        <Group justify="space-between" gap="xs">
          {strings.noSuchView}
          <Button size="compact-xs" variant="default" onClick={showAll}>
            {strings.all[entity]}
          </Button>
        </Group>
      </Alert>
    )
  return view && view.missing.length > 0 && <MissingParts open={open} view={view} update={update} />
}

interface MissingPartsProps {
  open: OpenView
  view: View
  update: ReturnType<typeof useViewActions>['update']
}

function MissingParts({ open: { entity, base, rebase }, view, update }: MissingPartsProps) {
  const fields = useFields(entity)
  const clean = () =>
    update.mutate(
      { id: view.id, changes: view.applied, seenAt: base?.updated_at ?? view.updated_at },
      { onSuccess: rebase, onError: notify },
    )
  // Only conditions on fields that were deleted can be removed.
  const canClean = view.may_change && view.missing.some(({ kind }) => kind === 'field')
  // The name of a missing option is that of its field, which still exists.
  const parts = byName(view.missing).map(({ kind, name, usedIn }) =>
    strings.missingPart(kind, (kind === 'option' && fields.get(name)?.label) || name, usedIn),
  )
  return (
    <Alert color="orange" p="xs" role="status" className={classes.notice}>
      <ReturnFocus />
      <Group justify="space-between" gap="xs">
        <span className={`break-anywhere ${classes.missing}`}>{strings.missing(parts)}</span>
        {canClean && (
          <Button size="compact-xs" variant="default" loading={update.isPending} onClick={clean}>
            {strings.removeMissing}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

type Missing = View['missing'][number]

/** Each missing thing once, with all parts of the view that use it. */
const byName = (missing: readonly Missing[]) =>
  [...Map.groupBy(missing, ({ kind, name }) => `${kind} ${name}`).values()].flatMap((uses) => {
    const [first] = uses
    return first ? [{ ...first, usedIn: uses.map(({ used_in }) => used_in) }] : []
  })
