import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSettings } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/general.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { chooseDevelopmentUser } from '#web/api/development-user.ts'
import { type CurrentUser, service } from '#web/api/service.ts'
import { clearDrafts } from '#web/editing/use-draft.ts'
import { runAction } from '#web/keyboard/actions.ts'
import { Keys } from '#web/keyboard/keys.tsx'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'

const COLOR_SCHEMES = [
  { value: 'light', label: strings.light },
  { value: 'dark', label: strings.dark },
  { value: 'auto', label: strings.system },
] as const

interface AccountMenuProps {
  user: CurrentUser
  position: 'top-start' | 'bottom-end'
}

/** The user, the theme, and sign-out. */
export function AccountMenuItems({ user, ...menu }: AccountMenuProps & OverlayProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useMutation({
    mutationFn: () => service.signOut(),
    onSuccess: () => {
      chooseDevelopmentUser(null)
      clearDrafts()
      location.assign('/')
    },
  })
  return (
    <AnchoredMenu {...menu} width={260} withinPortal>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {user.name ?? user.email}
          </Text>
          {user.name && (
            <Text size="xs" truncate>
              {user.email}
            </Text>
          )}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{strings.colorScheme}</Menu.Label>
        {COLOR_SCHEMES.map(({ value, label }) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checked={value === colorScheme}
            onChange={() => setColorScheme(value)}
            closeMenuOnClick={false}
          >
            {label}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <ScreenMenuItem to="/settings" leftSection={<IconSettings size={16} aria-hidden />}>
          {strings.settings}
        </ScreenMenuItem>
        <Menu.Item
          leftSection={<IconKeyboard size={16} aria-hidden />}
          rightSection={<Keys keys={['?']} />}
          onClick={() => runAction('help')}
        >
          {keyboard.help}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          {strings.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}
