import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { notificationQueries } from '#web/api/notification-queries.ts'
import { type NotificationSettings, service } from '#web/api/service.ts'

type Change = { mail?: Partial<NotificationSettings['mail']>; digest_hour?: number }

const KEY = ['save-notification-settings']

/** How the user is notified. A change shows at once and is taken back if it cannot be saved. */
export function useNotificationSettings() {
  const queryClient = useQueryClient()
  const { queryKey } = notificationQueries.settings()
  const settings = useQuery(notificationQueries.settings())
  const { mutate } = useMutation({
    mutationKey: KEY,
    // One at a time, so that the last choice wins.
    scope: { id: 'notification-settings' },
    mutationFn: async (change: Change) => (await service.updateNotificationSettings({ body: change })).data,
    onError: () => queryClient.invalidateQueries({ queryKey }),
    onSuccess: (saved) => {
      if (queryClient.isMutating({ mutationKey: KEY }) === 1) queryClient.setQueryData(queryKey, saved)
    },
  })
  const change = (changed: Change) => {
    const { mail, ...others } = changed
    void queryClient.cancelQueries({ queryKey }, { revert: false })
    // At once: a radio button would jump back until the next rendering.
    queryClient.setQueryData(
      queryKey,
      (before) => before && { ...before, ...others, mail: { ...before.mail, ...mail } },
    )
    mutate(changed)
  }
  return { settings, change }
}
