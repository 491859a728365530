export { insertNotes, newNote } from './create.ts'
export { noteFieldKind } from './fields.ts'
export { noteKind } from './kind.ts'
export { moveNoteLinks } from './move-links.ts'
