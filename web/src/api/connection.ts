import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

/** The state of the connection to the service. */
interface Connection {
  /** Whether the last request got a response. */
  isReachable: boolean
  isSessionExpired: boolean
  /** The service's reason for rejecting the session. */
  sessionError: string
  /** When the rate limit allows the next request, in milliseconds since 1970; 0: now. */
  retryAt: number
}

export const connection = createStore<Connection>({
  isReachable: true,
  isSessionExpired: false,
  sessionError: '',
  retryAt: 0,
})

export const useConnection = (): Connection => useSyncExternalStore(connection.subscribe, connection.get)
