import { lazy } from 'react'

// In one piece of code: they are small.
const load = () => import('./file-dialogs.tsx')

export const RenameFile = lazy(() => load().then(({ RenameFile }) => ({ default: RenameFile })))
export const ChangeRecords = lazy(() => load().then(({ ChangeRecords }) => ({ default: ChangeRecords })))
export const FileHistory = lazy(() => load().then(({ FileHistory }) => ({ default: FileHistory })))
