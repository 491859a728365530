import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/activity.ts'
import { queries } from '#web/service/queries.ts'
import type { Activity } from '#web/service/service.ts'
import { ScreenLink } from '#web/ui/link.tsx'

interface SkipActionProps {
  /** A page of activity, newest first, that older pages follow. */
  records: readonly Activity[]
}

/** A link past an action that fills the rest of the page, and perhaps many more: an import can have changed any number of companies. */
export function SkipAction({ records }: SkipActionProps) {
  const id = records.at(-1)?.action_id
  const isLong = id && records.slice(-MIN_RECORDS).every(({ action_id }) => action_id === id)
  return isLong ? <Skip id={id} /> : null
}

const MIN_RECORDS = 100

function Skip({ id }: { id: string }) {
  const { data: action } = useQuery(queries.action(id))
  if (!action) return null
  return (
    <ScreenLink
      from="/activity"
      to="/activity"
      search={({ page: _page, ...filters }) => ({ ...filters, until: action.created_at })}
      size="sm"
      ta="center"
    >
      {strings.skipAction}
    </ScreenLink>
  )
}
