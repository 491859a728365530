import { lazy } from 'react'
import { lazyPart } from '#web/ui/lazy/lazy-part.tsx'

// Loaded after the list itself.
export const FacetPanel = lazyPart(async () => ({
  default: (await import('./components/facets/facet-panel.tsx')).FacetPanel,
}))
export const ListSort = lazyPart(async () => ({
  default: (await import('./components/list-sort.tsx')).ListSort,
}))
export const FacetDrawer = lazy(() => import('./components/facets/facet-drawer.tsx'))
export const NewCompanyDialog = lazy(() => import('./components/new-company/new-company-dialog.tsx'))
export const SelectionBar = lazyPart(async () => ({
  default: (await import('./components/selection/selection-bar.tsx')).SelectionBar,
}))
export const Triage = lazyPart(() => import('./components/triage/triage.tsx'))
