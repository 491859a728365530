import type { CompletedAction } from '#src/client/client.ts'
import { createStore } from '../store.ts'

/** The latest request of this tab that has changed records, until its notice is shown. */
export const lastAction = createStore<{ done: CompletedAction | null }>({ done: null })

const MAX_OWN_ACTIONS = 200

/** The actions of this tab, with the time when each was done. */
export const ownActions = new Map<string, number>()

/** Remembers an action of this tab. */
export function addAction(done: CompletedAction): void {
  ownActions.set(done.id, Date.now())
  const [oldest] = ownActions.keys()
  if (oldest !== undefined && ownActions.size > MAX_OWN_ACTIONS) ownActions.delete(oldest)
  lastAction.set({ done })
}
