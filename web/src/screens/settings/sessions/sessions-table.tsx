import { Badge, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/sessions.ts'
import type { Session } from '#web/api/service.ts'
import { browserName } from '#web/format/browser-name.ts'
import { Age } from '#web/ui/age.tsx'
import { DataTable } from '#web/ui/data-table.tsx'

/** The name of a session's browser. */
export const browserOf = ({ browser }: Session): string =>
  browser === null ? strings.unknownBrowser : browserName(browser)

const COLUMNS = [
  { label: strings.browser },
  { label: strings.address, width: 150 },
  { label: strings.created, width: 130 },
  { label: strings.lastSeen, width: 130 },
  { label: strings.expires, width: 110 },
  { label: <VisuallyHidden>{strings.actions}</VisuallyHidden>, width: 80 },
]

interface SessionsTableProps {
  sessions: Session[]
  end: (session: Session) => void
}

/** Sessions, of which all except the current one can be ended. Signing out ends that one. */
export function SessionsTable({ sessions, end }: SessionsTableProps) {
  return (
    <DataTable label={strings.title} minWidth={820} columns={COLUMNS}>
      {sessions.map((session) => (
        <Table.Tr key={session.id}>
          <Table.Td>
            <Group gap="xs">
              <Text size="sm" fw={600} title={session.browser ?? undefined} className="break-anywhere">
                {browserOf(session)}
              </Text>
              {session.current && (
                <Badge color="teal" variant="light" tt="none">
                  {strings.current}
                </Badge>
              )}
            </Group>
          </Table.Td>
          <Table.Td className="break-anywhere">{session.address ?? general.none}</Table.Td>
          <Table.Td>
            <Age timestamp={session.created_at} size="sm" />
          </Table.Td>
          <Table.Td>
            <Age timestamp={session.last_seen_at} size="sm" />
          </Table.Td>
          <Table.Td>
            <Age timestamp={session.expires_at} size="sm" />
          </Table.Td>
          <Table.Td>
            {!session.current && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={strings.endOne(browserOf(session))}
                onClick={() => end(session)}
              >
                {strings.end}
              </Button>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  )
}
