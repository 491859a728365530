import { Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/settings.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ScreenButton } from '#web/ui/link.tsx'

const SCREENS = [
  { to: '/settings', label: strings.general },
  { to: '/settings/notifications', label: strings.notifications },
  { to: '/settings/fields', label: strings.fields },
  { to: '/settings/tags', label: strings.tags },
  { to: '/settings/stages', label: strings.stages },
  { to: '/settings/reasons', label: strings.reasons },
  { to: '/settings/sessions', label: strings.sessions, needsCredentials: true },
  { to: '/settings/keys', label: strings.keys, needsCredentials: true },
] as const

/** Links to the screens of the settings. */
export function SettingsNavigation() {
  const mayManageCredentials = useCan('credentials')
  const shown = SCREENS.filter((screen) => mayManageCredentials || !('needsCredentials' in screen))
  const navigate = useNavigate()
  useActions(
    // The shell offers the first one.
    shown.slice(1).map(({ to, label }) => ({
      id: `go ${to}`,
      label: strings.section(label),
      group: keyboard.goTo,
      run: () => navigate({ to }),
    })),
  )
  return (
    <Group component="nav" aria-label={strings.settings} gap="xs">
      {shown.map(({ to, label }) => (
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
