export { type AutomaticFollow, followAutomatically, removeFollowsBy, removeFollowsOf } from './store.ts'
