export { canSee, setReaders, type Viewer } from './can-see.ts'
