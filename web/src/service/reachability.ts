import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

/** What stands between the reader and the service. */
interface Reachability {
  /** Whether the last request was answered. */
  isReachable: boolean
  /** Whether the service no longer knows who is asking. */
  isSessionOver: boolean
  /** Until when the service asks us to wait, as milliseconds since 1970; 0: it does not. */
  waitsUntil: number
}

export const reachability = createStore<Reachability>({
  isReachable: true,
  isSessionOver: false,
  waitsUntil: 0,
})

export const useReachability = (): Reachability =>
  useSyncExternalStore(reachability.subscribe, reachability.get)
