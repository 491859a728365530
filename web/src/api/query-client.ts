import { notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { DependencyUnavailable, NotSignedIn, ServiceUnreachable } from '#src/client/errors.ts'
import { strings } from '#strings/general.ts'
import { connection } from './connection.ts'
import { errorMessage } from './error-message.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The caller shows the errors of this mutation itself, always or as long as it is on screen. */
      handlesErrors?: boolean | (() => boolean)
    }
  }
}

const checkSession = (error: unknown): void => {
  if (error instanceof NotSignedIn) connection.set({ isSessionExpired: true, sessionError: error.details })
}

/** Whether the same request may succeed later. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ServiceUnreachable || error instanceof DependencyUnavailable

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== 'me') checkSession(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _result, mutation) => {
      checkSession(error)
      const handles = mutation.meta?.handlesErrors
      if (!(typeof handles === 'function' ? handles() : handles))
        notifications.show({
          color: 'red',
          title: strings.actionFailed,
          message: errorMessage(error),
          autoClose: 10_000,
        })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The limit is 100 requests per minute, so returning to a tab must not refetch everything.
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && isTransient(error),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
