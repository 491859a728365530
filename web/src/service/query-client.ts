import { notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { DependencyUnavailable, NotSignedIn, ServiceUnreachable } from '#src/client/errors.ts'
import { strings } from '#strings/general.ts'
import { errorMessage } from './error-message.ts'
import { reachability } from './reachability.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The place where it was asked for tells of the error itself. */
      tellsOfErrors?: boolean
    }
  }
}

const noteSession = (error: unknown): void => {
  if (error instanceof NotSignedIn) reachability.set({ isSessionOver: true })
}

const isPassing = (error: unknown): boolean =>
  error instanceof ServiceUnreachable || error instanceof DependencyUnavailable

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== 'me') noteSession(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _result, mutation) => {
      noteSession(error)
      if (!mutation.meta?.tellsOfErrors)
        notifications.show({
          color: 'red',
          title: strings.didNotWork,
          message: errorMessage(error),
          autoClose: 10_000,
        })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A hundred requests a minute are allowed: coming back to a tab is no reason to ask for all of it again.
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && isPassing(error),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
