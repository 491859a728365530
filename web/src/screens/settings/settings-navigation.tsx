import { Group } from '@mantine/core'
import { strings } from '#strings/settings.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenButton } from '#web/ui/link.tsx'

const SCREENS = [
  { to: '/settings', label: strings.general },
  { to: '/settings/sessions', label: strings.sessions },
  { to: '/settings/keys', label: strings.keys },
] as const

/** Links to the screens of the settings. */
export function SettingsNavigation() {
  const mayManageCredentials = useMay('credentials')
  if (!mayManageCredentials) return null
  return (
    <Group component="nav" aria-label={strings.settings} gap="xs">
      {SCREENS.map(({ to, label }) => (
        <ScreenButton
          key={to}
          to={to}
          variant="subtle"
          size="sm"
          activeOptions={{ exact: true }}
          activeProps={{ variant: 'light', 'aria-current': 'page' }}
        >
          {label}
        </ScreenButton>
      ))}
    </Group>
  )
}
