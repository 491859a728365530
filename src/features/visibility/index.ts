export { canSee, findHidden, isHidden, setReaders, type Viewer } from './can-see.ts'
