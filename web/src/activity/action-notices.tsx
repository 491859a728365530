import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { latestChanges } from '#web/api/live/latest-changes.ts'
import { actionText } from './action-text.ts'
import { hideNotice, showNotice } from './notice.tsx'
import { useUndo } from './use-undo.ts'

/**
 * Shows a notice with an Undo button for every action of this tab. Only this component does: screens call `service` and
 * need no notices of their own.
 */
export function ActionNotices() {
  const navigate = useNavigate()
  const { mutate: undo } = useUndo()
  useEffect(() => {
    const showLast = () => {
      const done = latestChanges.takeUnannounced()
      const text = done && actionText(done)
      if (!done || text === null) return
      const { id, operation } = done
      const undoThis = () => undo(id, { onError: hideNotice })
      showNotice({
        text,
        details: {
          href: `/activity/actions/${id}`,
          open: () => navigate({ to: '/activity/actions/$id', params: { id } }),
        },
        ...(operation !== 'purgeRecord' && { undo: undoThis }),
        isUndo: operation === 'undoAction',
      })
    }
    showLast()
    return latestChanges.subscribe(showLast)
  }, [navigate, undo])
  return null
}
