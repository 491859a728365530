import { lazy } from 'react'

// Loaded when they open.
export const NewDeal = lazy(() => import('./components/deal/new-deal-dialog.tsx'))
export const OutcomeDialog = lazy(async () => ({
  default: (await import('./components/deal/outcome-dialog.tsx')).OutcomeDialog,
}))
