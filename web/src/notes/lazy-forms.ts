import { lazy } from 'react'

// In one piece of code: whoever writes a note soon edits one.
const load = () => import('./form/note-forms.tsx')

export const NewNote = lazy(() => load().then(({ NewNote }) => ({ default: NewNote })))
export const EditNote = lazy(() => load().then(({ EditNote }) => ({ default: EditNote })))
export const ReplyToNote = lazy(() => load().then(({ ReplyToNote }) => ({ default: ReplyToNote })))
