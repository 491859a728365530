import { lazy } from 'react'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Loaded after the list itself.
export const FacetPanel = lazyPart(async () => ({ default: (await import('./facet-panel.tsx')).FacetPanel }))
export const ListSort = lazyPart(async () => ({ default: (await import('./list-sort.tsx')).ListSort }))
export const FacetDrawer = lazy(() => import('./facet-drawer.tsx'))
export const NewCompanyDialog = lazy(() => import('./new-company-dialog.tsx'))
export const SelectionBar = lazyPart(async () => ({
  default: (await import('./selection-bar.tsx')).SelectionBar,
}))
export const Triage = lazyPart(() => import('./triage.tsx'))
