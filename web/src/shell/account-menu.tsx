import { Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSettings } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/general.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { clearDrafts } from '#web/editing/use-draft.ts'
import { runAction } from '#web/keyboard/actions.ts'
import { Keys } from '#web/keyboard/keys.tsx'
import { chooseDevelopmentUser } from '#web/service/development-user.ts'
import { queries } from '#web/service/queries.ts'
import { service } from '#web/service/service.ts'
import { ScreenMenuItem } from '#web/ui/link.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import classes from './sidebar.module.css'

const COLOR_SCHEMES = [
  { value: 'light', label: strings.light },
  { value: 'dark', label: strings.dark },
  { value: 'auto', label: strings.system },
] as const

/** The user, the theme, and sign-out. */
export function AccountMenu({ hasName = false }: { hasName?: boolean }) {
  const { data: user } = useQuery(queries.me())
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useMutation({
    mutationFn: () => service.signOut(),
    onSuccess: () => {
      chooseDevelopmentUser(null)
      clearDrafts()
      location.assign('/')
    },
  })
  if (!user) return null
  return (
    <Menu position={hasName ? 'top-start' : 'bottom-end'} width={260} withinPortal>
      <Menu.Target>
        <UnstyledButton className={hasName ? classes.item : classes.avatar}>
          <Monogram name={user.name ?? user.email} size={hasName ? 20 : 26} isPerson />
          <VisuallyHidden>{strings.account}</VisuallyHidden>
          {hasName && (
            <span className={classes.label} dir="auto">
              {user.name ?? user.email}
            </span>
          )}
        </UnstyledButton>
      </Menu.Target>
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
    </Menu>
  )
}
