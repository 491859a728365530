export { personFieldKind } from './fields.ts'
export { personKind } from './kind.ts'
export { removeLinks } from './link-store.ts'
export { moveLinks } from './move-links.ts'
