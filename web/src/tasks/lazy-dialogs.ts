import { lazy } from 'react'

export const TaskDialog = lazy(() => import('./task-dialog.tsx'))
export const TaskHistory = lazy(() => import('./task-history.tsx'))
export const PostponeDialog = lazy(() => import('./postpone-dialog.tsx'))
