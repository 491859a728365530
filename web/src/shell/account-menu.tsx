import {
  ActionIcon,
  Avatar,
  Menu,
  SegmentedControl,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { IconLogout, IconSettings } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/general.ts'
import { clearDrafts } from '#web/editing/use-draft.ts'
import { chooseDevelopmentUser } from '#web/service/development-user.ts'
import { queries } from '#web/service/queries.ts'
import { service } from '#web/service/service.ts'
import { ScreenMenuItem } from '#web/ui/link.tsx'

/** The user, the theme, and sign-out. */
export function AccountMenu() {
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
    <Menu position="bottom-end" width={260} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl">
          <Avatar name={user.name ?? user.email} size={30} color="initials" alt="" />
          <VisuallyHidden>{strings.account}</VisuallyHidden>
        </ActionIcon>
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
        <SegmentedControl
          m={4}
          size="xs"
          fullWidth
          aria-label={strings.colorScheme}
          value={colorScheme}
          onChange={setColorScheme}
          data={[
            { value: 'light', label: strings.light },
            { value: 'dark', label: strings.dark },
            { value: 'auto', label: strings.system },
          ]}
        />
        <Menu.Divider />
        <ScreenMenuItem to="/settings" leftSection={<IconSettings size={16} aria-hidden />}>
          {strings.settings}
        </ScreenMenuItem>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          {strings.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
