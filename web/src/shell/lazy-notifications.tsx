import { notificationsStore } from '@mantine/notifications'
import { lazy, Suspense, useEffect, useState } from 'react'

const Notifications = lazy(() => import('./notifications.ts'))

const hasNotifications = () => notificationsStore.getState().notifications.length > 0

/** Loads the notifications component with the first notification. */
export function LazyNotifications() {
  const [isNeeded, setNeeded] = useState(hasNotifications)
  useEffect(() => notificationsStore.subscribe(() => hasNotifications() && setNeeded(true)), [])
  return <Suspense>{isNeeded && <Notifications position="bottom-right" limit={4} />}</Suspense>
}
