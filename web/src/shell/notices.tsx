import { notificationsStore } from '@mantine/notifications'
import { lazy, Suspense, useEffect, useState } from 'react'

const Notifications = lazy(() => import('./notifications.ts'))

const isAnyTold = () => notificationsStore.getState().notifications.length > 0

/** Where notices appear; what shows them is loaded with the first. */
export function Notices() {
  const [isNeeded, setNeeded] = useState(isAnyTold)
  useEffect(() => notificationsStore.subscribe(() => isAnyTold() && setNeeded(true)), [])
  return <Suspense>{isNeeded && <Notifications position="bottom-right" limit={4} />}</Suspense>
}
