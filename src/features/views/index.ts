export { listNewRecords } from './new-records.ts'
export { isVisible, readView, type Viewer } from './store.ts'
