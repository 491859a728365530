export { canSee, type Readers, setReaders, type Viewer } from './can-see.ts'
