import { Badge, Button, Skeleton, Switch } from '@mantine/core'
import { IconBell, IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { strings } from '#strings/inbox.ts'
import { type BrowserPermission, useBrowserPermission } from '#web/browser/use-browser-permission.ts'
import { usePreferences } from '#web/ui/use-preferences.ts'
import { Setting, SettingGroup } from '../components/setting.tsx'

/** Whether the user is notified anywhere but in the app. */
export function OutsideSettings() {
  const { preferences, change } = usePreferences()
  const [permission, ask] = useBrowserPermission()
  const switchId = useId()
  return (
    <SettingGroup title={strings.outside}>
      <Setting label={strings.send} description={strings.sendHelp} labelFor={switchId}>
        {(ids) =>
          preferences ? (
            <Switch
              size="md"
              id={switchId}
              aria-describedby={ids.description}
              checked={preferences.notifications_enabled}
              onChange={(event) => change({ notifications_enabled: event.currentTarget.checked })}
            />
          ) : (
            <Skeleton height={24} width={46} radius="xl" />
          )
        }
      </Setting>
      <Setting label={strings.browser} description={explanationOf(permission)}>
        {() => {
          if (permission === 'default')
            return (
              <Button variant="default" onClick={ask} leftSection={<IconBell size={16} aria-hidden />}>
                {strings.allow}
              </Button>
            )
          if (permission === 'granted')
            return (
              <Badge
                variant="outline"
                color="teal"
                size="lg"
                autoContrast
                leftSection={<IconCheck size={14} aria-hidden />}
              >
                {strings.granted}
              </Badge>
            )
          return null
        }}
      </Setting>
    </SettingGroup>
  )
}

const explanationOf = (permission: BrowserPermission): string => {
  if (permission === 'unsupported') return strings.unsupported
  return permission === 'denied' ? strings.deniedHelp : strings.browserHelp
}
