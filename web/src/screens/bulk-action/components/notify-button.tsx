import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/bulk-actions.ts'
import { queries } from '#web/api/queries.ts'
import { useBrowserPermission } from '#web/browser/use-browser-permission.ts'

/** Asks for permission to show notifications. Hidden once the user has answered, or has turned notifications off. */
export function NotifyButton() {
  const isOptedOut = useQuery(queries.me()).data?.preferences.notifications_enabled === false
  const [permission, ask] = useBrowserPermission()
  if (permission !== 'default' || isOptedOut) return null
  const askPermission = async () => {
    const answer = await ask()
    if (answer === 'default') return
    notifications.show({ message: answer === 'granted' ? strings.willNotify : strings.notificationsBlocked })
  }
  return (
    <Button variant="default" leftSection={<IconBell size={16} aria-hidden />} onClick={askPermission}>
      {strings.notifyMe}
    </Button>
  )
}
