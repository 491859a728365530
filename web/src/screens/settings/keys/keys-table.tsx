import { Badge, Button, Code, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { strings } from '#strings/keys.ts'
import type { ApiKey } from '#web/api/service.ts'
import { Age } from '#web/ui/age.tsx'
import { DataTable } from '#web/ui/data-table.tsx'

const COLUMNS = [
  { label: strings.name },
  { label: strings.prefix, width: 120 },
  { label: strings.scopes, width: 200 },
  { label: strings.role, width: 90 },
  { label: strings.lastUsed, width: 150 },
  { label: strings.expires, width: 120 },
  { label: <VisuallyHidden>{strings.actions}</VisuallyHidden>, width: 100 },
]

interface KeysTableProps {
  keys: ApiKey[]
  revoke: (key: ApiKey) => void
}

/** API keys, which can be revoked. */
export function KeysTable({ keys, revoke }: KeysTableProps) {
  return (
    <DataTable label={strings.title} minWidth={980} columns={COLUMNS}>
      {keys.map((key) => (
        <Table.Tr key={key.id}>
          <Table.Td>
            <Text size="sm" fw={600} className="break-anywhere" dir="auto">
              {key.name}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {strings.created} <Age timestamp={key.created_at} span inherit />
            </Text>
          </Table.Td>
          <Table.Td>
            <Code>{key.prefix}…</Code>
          </Table.Td>
          <Table.Td>
            <Group gap={4}>
              {key.scopes.map((scope) => (
                <Badge key={scope} variant="default" size="sm" radius="sm" tt="none" fw={500}>
                  {strings.scope[scope][0]}
                </Badge>
              ))}
            </Group>
          </Table.Td>
          <Table.Td>{strings.roles[key.role]}</Table.Td>
          <Table.Td>
            {key.last_used_at ? <Age timestamp={key.last_used_at} size="sm" /> : strings.neverUsed}
            {key.last_used_address && (
              <Text size="xs" c="dimmed" className="break-anywhere">
                {strings.lastUsedFrom(key.last_used_address)}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <Expiry at={key.expires_at} />
          </Table.Td>
          <Table.Td>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={strings.revokeOne(key.name)}
              onClick={() => revoke(key)}
            >
              {strings.revoke}
            </Button>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return strings.never
  const hasExpired = new Date(at).getTime() <= Date.now()
  return (
    <>
      {hasExpired && (
        <Badge color="red" variant="light" tt="none">
          {strings.expired}
        </Badge>
      )}
      <Age timestamp={at} size={hasExpired ? 'xs' : 'sm'} />
    </>
  )
}
