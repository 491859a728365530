import { Badge, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/past-imports.ts'
import { Person } from '#web/activity/person.tsx'
import { pastImport } from '#web/api/import-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { PastImport as Imported } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenButton } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { importedShare } from '../hooks/use-running-import.ts'
import { withAllLists } from './report/report.ts'
import { ReportPanels } from './report/report-panels.tsx'

const KINDS = ['created', 'updated', 'unchanged', 'restored', 'trashed', 'failed'] as const
const COLORS = { running: 'blue', completed: 'gray', interrupted: 'orange' } as const

/** An import of anyone: who, when, how many rows; with its errors, and a way to undo it. */
export function PastImport({ imported }: { imported: Imported }) {
  const { id, state, file_name, user_email, started_at, action_id, undone_by, error } = imported
  const { data: me } = useQuery(queries.me())
  const mayWrite = useCan('write')
  const [isOpen, report] = useDisclosure(false)
  const name = file_name ?? strings.unnamed
  return (
    <Stack gap={6} component="li" py="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs" style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} className="break-anywhere" dir="auto">
            {name}
          </Text>
          <Badge size="sm" variant="light" color={COLORS[state]}>
            {undone_by === null ? strings.states[state] : strings.undone}
          </Badge>
        </Group>
        <Group gap={6}>
          {state === 'completed' && (
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={isOpen}
              aria-label={strings.reportOf(name)}
              onClick={report.toggle}
            >
              {strings.report}
            </Button>
          )}
          {mayWrite && action_id !== null && undone_by === null && (
            <ScreenButton
              to="/activity/actions/$id"
              params={{ id: action_id }}
              size="compact-sm"
              variant="default"
              aria-label={state === 'running' ? strings.stopAndUndoOf(name) : strings.undoOf(name)}
            >
              {state === 'running' ? strings.stopAndUndo : strings.undo}
            </ScreenButton>
          )}
        </Group>
      </Group>
      <Text size="sm" c="dimmed" component="div">
        {countsOf(imported)} · {strings.by} <Person email={user_email} me={me?.email} /> ·{' '}
        <Age timestamp={started_at} span inherit />
      </Text>
      {state === 'running' && <RunningProgress imported={imported} name={name} />}
      {state === 'interrupted' && (
        <Text size="sm" className="break-anywhere">
          {error} {strings.interrupted}
        </Text>
      )}
      {isOpen && <PastReport id={id} fileName={name} />}
    </Stack>
  )
}

function countsOf(imported: Imported): string {
  const { restored } = imported
  const counts = KINDS.filter((kind) => imported[kind] > 0 && !(kind === 'trashed' && restored > 0)).map(
    (kind) => strings.counts[kind](imported[kind]),
  )
  return counts.length > 0 ? counts.join(', ') : strings.nothing
}

/** Without the size of the file, it only shows that the import is running. */
function RunningProgress({ imported, name }: { imported: Imported; name: string }) {
  const share = importedShare(imported) ?? 1
  return (
    <Progress value={share * 100} animated={share === 1} size="sm" aria-label={strings.progressOf(name)} />
  )
}

function PastReport({ id, fileName }: { id: string; fileName: string }) {
  const detail = useQuery(pastImport(id))
  if (detail.isPending) return <SkeletonLines lines={3} />
  if (detail.isError) return <ErrorState error={detail.error} retry={detail.refetch} />
  const { report } = detail.data
  return (
    report && (
      <ReportPanels title={strings.reportOf(fileName)} report={withAllLists(report)} fileName={fileName} />
    )
  )
}
