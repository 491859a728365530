import { notificationsStore } from '@mantine/notifications'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart, Nothing } from '#web/ui/lazy/lazy-part.tsx'

const Notifications = lazyPart(() => import('./notifications.tsx'), { Missing: Nothing })

const hasNotifications = () => notificationsStore.getState().notifications.length > 0

/** Loads the notifications component with the first notification. */
export function LazyNotifications() {
  const [isNeeded, setNeeded] = useState(hasNotifications)
  useEffect(() => notificationsStore.subscribe(() => hasNotifications() && setNeeded(true)), [])
  return <Suspense>{isNeeded && <Notifications />}</Suspense>
}
