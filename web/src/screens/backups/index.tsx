import { Badge, Button, Stack, Table, Text } from '@mantine/core'
import { IconDatabaseExport, IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/backups.ts'
import { strings as general } from '#strings/general.ts'
import { queries } from '#web/api/queries.ts'
import type { BackupRun } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatMoment, formatNumber } from '#web/format/format.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { NotPermitted } from '#web/ui/not-permitted.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'

const COLORS = { running: 'blue', completed: 'teal', failed: 'red' } as const
const COLUMNS = [
  { label: strings.due, width: 210 },
  { label: strings.state, width: 120 },
  { label: strings.file },
  { label: strings.size, width: 100 },
  { label: strings.content, width: 210 },
]

/** Scheduled backups, newest first, and a download of one. For admins. */
export function BackupsScreen() {
  const mayBackUp = useCan('backup')
  if (mayBackUp) return <Backups />
  return (
    <Page title={strings.title}>
      <NotPermitted>{strings.notPermitted}</NotPermitted>
    </Page>
  )
}

function Backups() {
  const runs = useQuery(queries.backups())
  return (
    <Page
      title={strings.title}
      description={strings.contents}
      actions={
        // A link, so that the browser saves the file as it arrives, however large it is.
        <Button
          component="a"
          href="/api/backup"
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {strings.download}
        </Button>
      }
    >
      <Stack gap="md">
        {runs.isPending && <SkeletonLines lines={6} height={24} />}
        {runs.isError && <ErrorState error={runs.error} retry={() => runs.refetch()} />}
        {runs.data?.data.length === 0 && (
          <EmptyState icon={<IconDatabaseExport aria-hidden />} title={strings.empty}>
            {strings.emptyHelp}
          </EmptyState>
        )}
        {runs.data && runs.data.data.length > 0 && (
          <DataTable label={strings.title} minWidth={900} columns={COLUMNS}>
            {runs.data.data.map((run) => (
              <Run key={run.due_at} run={run} />
            ))}
          </DataTable>
        )}
      </Stack>
    </Page>
  )
}

function Run({ run: { due_at, state, name, bytes, rows, files, error } }: { run: BackupRun }) {
  return (
    <Table.Tr>
      <Table.Td>
        <time dateTime={due_at}>{formatMoment(due_at)}</time>
      </Table.Td>
      <Table.Td>
        <Badge color={COLORS[state]} variant="light">
          {strings.states[state]}
        </Badge>
      </Table.Td>
      <Table.Td className="break-anywhere">
        {error === null ? (name ?? general.none) : <Text size="sm">{strings.retried(error)}</Text>}
      </Table.Td>
      <Table.Td>
        {bytes === null ? general.none : strings.megabytes(formatNumber(Math.ceil(bytes / 100_000) / 10))}
      </Table.Td>
      <Table.Td>
        {rows === null ? general.none : strings.rowsAndFiles(formatNumber(rows), formatNumber(files ?? 0))}
      </Table.Td>
    </Table.Tr>
  )
}
