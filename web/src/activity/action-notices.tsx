import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lastAction } from '#web/api/live/last-action.ts'
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
      const { done } = lastAction.get()
      if (!done) return
      lastAction.set({ done: null })
      const text = actionText(done)
      if (text === null) return
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
    return lastAction.subscribe(showLast)
  }, [navigate, undo])
  return null
}
