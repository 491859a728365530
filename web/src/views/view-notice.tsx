import { Alert, Button, Group } from '@mantine/core'
import { strings } from '#strings/views.ts'
import { ReturnFocus } from '#web/browser/focus.ts'
import { useFields } from '#web/filters/use-fields.ts'
import { notify } from './notify.ts'
import type { OpenView } from './use-open-view.ts'
import { useViewActions } from './use-view-actions.ts'

interface ViewNoticeProps {
  open: OpenView
  showAll: () => void
}

/** Says that the view does not exist, or what it uses that has been deleted. */
export function ViewNotice({ open: { entity, view, base, isMissing, rebase }, showAll }: ViewNoticeProps) {
  const { update } = useViewActions(entity)
  const fields = useFields(entity)
  if (isMissing)
    return (
      <Alert color="orange" p="xs" role="alert">
        <ReturnFocus />
        <Group justify="space-between" gap="xs">
          {strings.noSuchView}
          <Button size="compact-xs" variant="default" onClick={showAll}>
            {strings.all[entity]}
          </Button>
        </Group>
      </Alert>
    )
  if (!view || view.missing.length === 0) return null
  const clean = () =>
    update.mutate(
      { id: view.id, changes: view.applied, seenAt: base?.updated_at ?? view.updated_at },
      { onSuccess: rebase, onError: notify },
    )
  // Other conditions stay.
  const canClean = view.may_change && view.missing.some(({ kind }) => kind === 'field')
  // Of an option, the name is that of its field, which still exists.
  const parts = view.missing.map(({ kind, name, used_in }) =>
    strings.missingPart(kind, (kind === 'option' && fields.get(name)?.label) || name, used_in),
  )
  return (
    <Alert color="orange" p="xs" role="status">
      <ReturnFocus />
      <Group justify="space-between" gap="xs">
        <span className="break-anywhere">{strings.missing(parts.join(', '))}</span>
        {canClean && (
          <Button size="compact-xs" variant="default" loading={update.isPending} onClick={clean}>
            {strings.removeMissing}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
