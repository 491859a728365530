import { Badge, Button, Group, NativeSelect, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ROLES, type Role, roleOf } from '#src/client/limits.ts'
import { strings } from '#strings/users.ts'
import { queries } from '#web/api/queries.ts'
import type { User } from '#web/api/service.ts'
import { formatDay } from '#web/format/format.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import type { AccessChange } from './change-access-dialog.tsx'

const COLUMNS = [
  { label: strings.user },
  { label: strings.role, width: 150 },
  { label: strings.status, width: 110 },
  { label: strings.since, width: 130 },
  { label: <VisuallyHidden>{strings.actions}</VisuallyHidden>, width: 220 },
]
const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: strings.roles[role] }))

interface UsersTableProps {
  users: User[]
  /** Asks before it changes a user. */
  change: (change: AccessChange) => void
  /** Asks who gets the private notes of a user. */
  transfer: (user: User) => void
}

export function UsersTable({ users, change, transfer }: UsersTableProps) {
  const { data: me } = useQuery(queries.me())
  return (
    <DataTable label={strings.title} minWidth={880} columns={COLUMNS}>
      {users.map((user) => (
        <Table.Tr key={user.email}>
          <Table.Td>
            <Group gap="xs">
              <Text size="sm" fw={600} className="break-anywhere" dir="auto">
                {user.name ?? user.email}
              </Text>
              {user.email === me?.email && (
                <Badge variant="default" tt="none">
                  {strings.you}
                </Badge>
              )}
            </Group>
            {user.name && (
              <Text size="xs" c="dimmed" className="break-anywhere">
                {user.email}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <NativeSelect
              size="xs"
              aria-label={strings.roleOf(user.email)}
              value={roleOf(user.role)}
              onChange={(event) => change({ user, role: event.currentTarget.value as Role })}
              data={ROLE_OPTIONS}
            />
          </Table.Td>
          <Table.Td>
            <Badge color={user.disabled ? 'red' : 'teal'} variant="light" tt="none">
              {user.disabled ? strings.disabled : strings.active}
            </Badge>
          </Table.Td>
          <Table.Td>{formatDay(user.created_at)}</Table.Td>
          <Table.Td>
            <Group gap="xs" wrap="nowrap">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={(user.disabled ? strings.enableOne : strings.disableOne)(user.email)}
                onClick={() => change({ user, disabled: !user.disabled })}
              >
                {user.disabled ? strings.enable : strings.disable}
              </Button>
              {user.disabled && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={strings.transferOne(user.email)}
                  onClick={() => transfer(user)}
                >
                  {strings.transfer}
                </Button>
              )}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}
