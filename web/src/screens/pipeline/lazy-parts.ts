import { lazy } from 'react'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Loaded when they open.
export const NewDeal = lazy(() => import('./new-deal-dialog.tsx'))
export const OutcomeDialog = lazy(async () => ({
  default: (await import('./outcome-dialog.tsx')).OutcomeDialog,
}))
export const DeleteDeal = lazy(async () => ({ default: (await import('./delete-deal.tsx')).DeleteDeal }))

// Loaded after the board.
export const DealPanel = lazyPart(async () => ({ default: (await import('./deal-panel.tsx')).DealPanel }))
export const ListLayout = lazyPart(async () => ({ default: (await import('./list-layout.tsx')).ListLayout }))
export const loadSelectionBar = async () => ({
  default: (await import('./selection-bar.tsx')).SelectionBar,
})
export const SelectionBar = lazyPart(loadSelectionBar)
