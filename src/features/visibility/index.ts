export { canSee, findHidden, isHidden, type Readers, setReaders, type Viewer } from './can-see.ts'
