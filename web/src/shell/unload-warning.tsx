import { useIsMutating } from '@tanstack/react-query'
import { useEffect } from 'react'
import { unsavedChanges } from '#web/api/live/change-queue.ts'

/** Has the browser ask before the tab is closed or reloaded while changes are not saved. */
export function UnloadWarning() {
  const isUnsaved = useIsMutating(unsavedChanges) > 0
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  return null
}
