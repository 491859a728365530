import type { View } from './view-queries.ts'
import { stateOfView, type ViewState } from './view-state.ts'

/** The saved version of a view that a list started from. Its changes are compared with it. */
export interface ViewBase {
  updated_at: string
  state: ViewState
}

export const baseOf = (view: View): ViewBase => ({ updated_at: view.updated_at, state: stateOfView(view) })

const KEY = 'view_bases'

/**
 * The versions of views that this tab started from, kept across reloads: saving must not overwrite what someone else
 * has saved since.
 */
export const viewBases = {
  get: (id: string): ViewBase | undefined => read()[id],
  set: (id: string, base: ViewBase): void => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ ...read(), [id]: base }))
    } catch {
      // Without storage, changes are compared with the latest version.
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
