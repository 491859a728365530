import { useState } from 'react'
import { service } from '#web/api/service.ts'
import { isConflict } from '#web/editing/if-match.ts'
import { notify } from '../notify.ts'
import type { View } from '../view-queries.ts'
import { changedContent, type ViewState } from '../view-state.ts'
import type { OpenView } from './use-open-view.ts'
import type { ViewActions } from './use-view-actions.ts'

/** Saves the changes of the open view, unless someone else has saved it since the list started from it. */
export function useSaveView(open: OpenView, state: ViewState, { update }: ViewActions) {
  const [conflict, setConflict] = useState<View | null>(null)
  const { base, changes, rebase, adopt } = open

  const send = async (view: View, seenAt: string | null) => {
    try {
      const saved = await update.mutateAsync({ id: view.id, changes: changedContent(state, changes), seenAt })
      if (seenAt === null) adopt(saved)
      else rebase(saved)
    } catch (error) {
      if (seenAt === null || !isConflict(error)) throw error
      setConflict((await service.getView({ params: { id: view.id } })).data)
    }
  }
  return {
    isPending: update.isPending,
    /** The view as someone else saved it. */
    conflict,
    dismiss: () => setConflict(null),
    save: (view: View) => {
      send(view, base?.updated_at ?? view.updated_at).catch(notify)
    },
    overwrite: (view: View) => send(view, null),
  }
}
