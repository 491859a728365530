export { isVisible, type Viewer } from './store.ts'
