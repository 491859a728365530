import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { baseOf, type ViewBase, viewBases } from '../view-base.ts'
import { type View, type ViewEntity, viewQueries } from '../view-queries.ts'
import { ALL } from '../view-screens.ts'
import {
  differences,
  savedStateOfView,
  stateOfView,
  type ViewDefaults,
  type ViewState,
  withParts,
} from '../view-state.ts'

interface OpenViewOptions {
  entity: ViewEntity
  /** The view that the address names. */
  viewId: string | undefined
  /** Whether the address only names the view. Then the list shows the view as it is saved. */
  isBare: boolean
  /** What the list shows. */
  state: ViewState
  defaults: ViewDefaults
  /** Replaces the address by what a view shows. */
  show: (id: string, state: ViewState) => void
}

export interface OpenView {
  entity: ViewEntity
  views: readonly View[]
  error: unknown
  view: View | undefined
  /** The parts in which the list differs from the view. */
  changes: ReturnType<typeof differences>
  /** The version of the view that the list started from. */
  base: ViewBase | undefined
  /** Makes a version the one to compare with, after it was saved. */
  rebase: (view: View) => void
  /** Shows a version that was saved over someone else's. Parts without changes here take the values of that version. */
  adopt: (view: View) => void
  /** Returns to the view as it is saved now. */
  reset: (show: () => void) => void
  /** Whether it is not known yet what to show. */
  isOpening: boolean
  /** Whether the address names a view that does not exist, or that is someone else's. */
  isMissing: boolean
  /** The view that a bare address shows, until the address names it. */
  opening: View | undefined
}

/** The view that the address names, or the default view if it names none, and how the list differs from it. */
export function useOpenView({ entity, viewId, isBare, state, defaults, show }: OpenViewOptions): OpenView {
  const { data: views, error, isPending } = useQuery(viewQueries.views(entity))
  const isDefault = isBare && viewId === undefined
  const named = viewId === ALL ? undefined : viewId
  const view = views?.find(({ id, is_default }) => (isDefault ? is_default : id === named))
  const opening = isBare ? view : undefined
  const [, rerender] = useState(0)
  const [adopted, setAdopted] = useState<View | null>(null)
  const base = view && (viewBases.get(view.id) ?? baseOf(view))
  const differencesFrom = (saved: ViewState) => differences(state, saved, defaults)
  const changes = base && !opening ? differencesFrom(base.state) : []
  /** The parts that the list still shows as they were before fields were deleted. */
  const outdatedParts = (saved: View) => {
    const changed = differencesFrom(savedStateOfView(saved))
    return differencesFrom(stateOfView(saved)).filter((part) => !changed.includes(part))
  }
  const outdated = view && view.missing.length > 0 ? outdatedParts(view) : []
  // Someone else has saved the view. Without local changes, the list follows.
  const isBehind = view !== undefined && base !== undefined && view.updated_at > base.updated_at

  useEffect(() => {
    if (adopted) setAdopted(null)
    if (adopted && adopted.id !== view?.id) viewBases.set(adopted.id, baseOf(adopted))
    if (!view) return
    if (adopted?.id === view.id && !opening) {
      const merged = withParts(stateOfView(adopted), state, changes)
      viewBases.set(view.id, baseOf(adopted))
      if (differencesFrom(merged).length > 0) show(view.id, merged)
    } else if (opening) {
      viewBases.set(view.id, baseOf(view))
      show(view.id, stateOfView(view))
    } else if (base && outdated.length > 0) {
      viewBases.set(view.id, { ...base, state: withParts(base.state, stateOfView(view), outdated) })
      show(view.id, withParts(state, stateOfView(view), outdated))
    } else if (!viewBases.get(view.id)) viewBases.set(view.id, baseOf(view))
    else if (isBehind && changes.length === 0) {
      viewBases.set(view.id, baseOf(view))
      if (differencesFrom(stateOfView(view)).length > 0) show(view.id, stateOfView(view))
      else rerender((count) => count + 1)
    }
  })
  return {
    entity,
    views: views ?? [],
    error,
    view,
    changes,
    base,
    rebase: (saved) => {
      viewBases.set(saved.id, baseOf(saved))
      rerender((count) => count + 1)
    },
    adopt: setAdopted,
    reset: (showSaved) => {
      if (view) viewBases.set(view.id, baseOf(view))
      showSaved()
    },
    isOpening: isBare && viewId !== ALL && isPending,
    isMissing: named !== undefined && views !== undefined && view === undefined,
    opening,
  }
}
