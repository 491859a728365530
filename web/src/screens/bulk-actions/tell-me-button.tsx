import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/bulk-actions.ts'
import { strings as general } from '#strings/general.ts'
import { queries } from '#web/service/queries.ts'

/** Asks the browser for leave to tell when an action ends; not there for who has answered, or wants no notifications. */
export function TellMeButton() {
  const wantsNone = useQuery(queries.me()).data?.preferences.notifications_enabled === false
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : 'denied',
  )
  if (permission !== 'default' || wantsNone) return null
  const ask = async () => {
    const answer = await Notification.requestPermission()
    setPermission(answer)
    if (answer === 'default') return
    notifications.show({
      closeButtonProps: { 'aria-label': general.close },
      message: answer === 'granted' ? strings.willTell : strings.willNotTell,
    })
  }
  return (
    <Button variant="default" leftSection={<IconBell size={16} aria-hidden />} onClick={ask}>
      {strings.tellMe}
    </Button>
  )
}
