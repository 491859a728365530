export {
  canSee,
  canSeeInList,
  findHidden,
  isHidden,
  type Readers,
  setReaders,
  type Viewer,
} from './can-see.ts'
