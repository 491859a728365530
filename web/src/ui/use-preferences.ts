import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import { type CurrentUser, service } from '#web/api/service.ts'

type Preferences = CurrentUser['preferences']
type Change = Partial<Preferences>

const KEY = ['preferences']

/** The user's preferences. A change shows at once and is rolled back if it cannot be saved. */
export function usePreferences(): { preferences: Preferences | undefined; change: (change: Change) => void } {
  const queryClient = useQueryClient()
  const { queryKey } = queries.me()
  const { data: me } = useQuery(queries.me())
  const put = (change: Change) =>
    queryClient.setQueryData(
      queryKey,
      (user) => user && { ...user, preferences: { ...user.preferences, ...change } },
    )
  const save = useMutation({
    mutationKey: KEY,
    // One at a time, so that the last choice wins.
    scope: { id: 'preferences' },
    mutationFn: async (change: Change) => {
      const { email } = await queryClient.ensureQueryData(queries.me())
      return (await service.updateUser({ params: { email }, body: { preferences: change } })).data
    },
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey })
      const previous = queryClient.getQueryData(queryKey)?.preferences
      put(change)
      return { previous }
    },
    onError: (_error, change, context) => {
      const names = Object.keys(change) as (keyof Preferences)[]
      if (context?.previous) put(Object.fromEntries(names.map((name) => [name, context.previous?.[name]])))
    },
    onSuccess: ({ preferences }) => {
      if (queryClient.isMutating({ mutationKey: KEY }) === 1) put(preferences)
    },
  })
  return { preferences: me?.preferences, change: save.mutate }
}

/** Whether the user prefers compact rows. */
export const useIsCompact = (): boolean => useQuery(queries.me()).data?.preferences.view_mode === 'compact'
