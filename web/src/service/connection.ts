import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

/** What stands between the reader and the service. */
interface Connection {
  /** Whether the last request was answered. */
  isReachable: boolean
  /** Whether the service no longer knows who is asking. */
  isSessionExpired: boolean
  /** Until when the service asks us to wait, as milliseconds since 1970; 0: it does not. */
  retryAt: number
}

export const connection = createStore<Connection>({
  isReachable: true,
  isSessionExpired: false,
  retryAt: 0,
})

export const useConnection = (): Connection => useSyncExternalStore(connection.subscribe, connection.get)
