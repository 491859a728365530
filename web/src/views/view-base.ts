import type { View } from './view-queries.ts'
import { stateOfView, type ViewState } from './view-state.ts'

/** The saved version of a view that a list started from: what its changes are compared with. */
export interface ViewBase {
  updated_at: string
  state: ViewState
}

export const baseOf = (view: View): ViewBase => ({ updated_at: view.updated_at, state: stateOfView(view) })

const KEY = 'view_bases'

/**
 * The versions of views that this tab started from, also after a reload: saving must not overwrite what someone else has
 * saved since.
 */
export const viewBases = {
  get: (id: string): ViewBase | undefined => read()[id],
  set: (id: string, base: ViewBase): void => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ ...read(), [id]: base }))
    } catch {
      // Without storage, the latest version counts.
    }
  },
}

function read(): Record<string, ViewBase> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}
