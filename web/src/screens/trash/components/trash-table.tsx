import { Badge, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/trash.ts'
import { Person } from '#web/activity/person.tsx'
import { AboutLinks } from '#web/activity/record-links.tsx'
import { useRestore } from '#web/activity/use-restore.ts'
import { queries } from '#web/api/queries.ts'
import type { TrashEntry } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatDay } from '#web/format/format.ts'
import { Age } from '#web/ui/age.tsx'
import { DataTable } from '#web/ui/data-table.tsx'

const COLUMNS = [
  { label: strings.name },
  { label: strings.deletedBy, width: 140 },
  { label: strings.deleted, width: 130 },
  { label: strings.keptUntil, width: 130 },
]
const ACTIONS = { label: <VisuallyHidden>{strings.actions}</VisuallyHidden>, width: 300 }

interface TrashTableProps {
  entries: TrashEntry[]
  /** Asks before it permanently deletes a record. */
  purge: (entry: TrashEntry) => void
  isStale: boolean
}

export function TrashTable({ entries, purge, isStale }: TrashTableProps) {
  const { data: me } = useQuery(queries.me())
  const mayRestore = useCan('delete')
  const mayPurge = useCan('purge')
  const columns = mayRestore ? [...COLUMNS, ACTIONS] : COLUMNS
  return (
    <DataTable label={strings.title} minWidth={900} columns={columns} isStale={isStale}>
      {entries.map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Td>
            <Name entry={entry} />
          </Table.Td>
          <Table.Td>
            <Person email={entry.user_email} me={me?.email} startsSentence />
          </Table.Td>
          <Table.Td>
            <Age timestamp={entry.deleted_at} size="sm" />
          </Table.Td>
          <Table.Td>{entry.purge_at ? formatDay(entry.purge_at) : strings.always}</Table.Td>
          {mayRestore && (
            <Table.Td>
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <RestoreButton entry={entry} />
                {mayPurge && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    style={{ flexShrink: 0 }}
                    aria-label={strings.purgeOne(entry.name)}
                    onClick={() => purge(entry)}
                  >
                    {strings.purge}
                  </Button>
                )}
              </Group>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  )
}

function Name({ entry: { entity_type, name, deals, about } }: { entry: TrashEntry }) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} className="break-anywhere" dir="auto">
        {name}
      </Text>
      <Badge variant="default" tt="none" radius="sm">
        {strings.kinds[entity_type] ?? entity_type}
      </Badge>
      {about && about.length > 0 && (
        <Text size="xs" c="dimmed">
          <AboutLinks about={about} />
        </Text>
      )}
      {deals > 0 && (
        <Text size="xs" c="dimmed">
          {strings.withDeals(deals)}
        </Text>
      )}
    </Group>
  )
}

function RestoreButton({ entry: { id, name } }: { entry: TrashEntry }) {
  const restore = useRestore()
  return (
    <Button
      size="compact-sm"
      variant="default"
      style={{ flexShrink: 0 }}
      aria-label={strings.restoreOne(name)}
      loading={restore.isPending}
      onClick={() => restore.mutate(id)}
    >
      {strings.restore}
    </Button>
  )
}
