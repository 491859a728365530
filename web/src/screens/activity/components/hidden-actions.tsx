import { useQuery } from '@tanstack/react-query'
import { strings as actions } from '#strings/actions.ts'
import { strings } from '#strings/activity.ts'
import { queries } from '#web/api/queries.ts'
import type { Activity } from '#web/api/service.ts'
import { formatMoment } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'

/** The ids of the actions that an address leaves out. */
export const hiddenActions = (ids: string | undefined): string[] => ids?.split(',') ?? []

interface HideActionProps {
  /** A page of activity, newest first. Older pages follow. */
  records: readonly Activity[]
}

const MIN_RECORDS = 100

/** Leaves out an action that fills the rest of the page, and perhaps many more: an import can have changed any number of companies. */
export function HideAction({ records }: HideActionProps) {
  const id = records.at(-1)?.action_id
  const isLong = id && records.slice(-MIN_RECORDS).every(({ action_id }) => action_id === id)
  if (!isLong) return null
  return (
    <ScreenLink
      from="/activity"
      to="/activity"
      search={({ page: _page, hidden_actions, ...filters }) => ({
        ...filters,
        hidden_actions: [...hiddenActions(hidden_actions), id].join(),
      })}
      size="sm"
      ta="center"
    >
      {strings.hideAction}
    </ScreenLink>
  )
}

/** The name and the time of an action. */
export function ActionName({ id }: { id: string }) {
  const { data: action } = useQuery(queries.action(id))
  if (!action) return id
  return `${actions.kinds[action.kind] ?? actions.action}, ${formatMoment(action.created_at)}`
}
