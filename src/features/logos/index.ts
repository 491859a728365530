export { createConverter } from './convert.ts'
export { createIconReader } from './fetch-icon.ts'
export { logoFetcher, logoRemover } from './fetch-logos.ts'
export { logoUrl, logoUrlOf } from './store.ts'
