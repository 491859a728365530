import { lazy } from 'react'

// Loaded when they open.
export const NewDeal = lazy(() => import('./new-deal-dialog.tsx'))
export const OutcomeDialog = lazy(async () => ({
  default: (await import('./outcome-dialog.tsx')).OutcomeDialog,
}))
