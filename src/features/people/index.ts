export { personFieldKind } from './fields.ts'
export { personKind } from './kind.ts'
export { moveLinks } from './move-links.ts'
export { removeLinks } from './store.ts'
