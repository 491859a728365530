import { Group, Text } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import { useCan } from '#web/api/use-can.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import type { Editing } from '../../editing.ts'
import type { ImportReport } from './report.ts'
import { RowsPanel } from './rows-panel.tsx'

interface TrashedPanelProps {
  report: ImportReport
  save: () => void
  editing?: Editing | undefined
}

/** Rows about companies in the trash. Before the import, a person chooses whether it restores them. */
export function TrashedPanel({ report, save, editing }: TrashedPanelProps) {
  const mayRestore = useCan('delete')
  const words = editing ? strings.help : strings.helpAfter
  return (
    <RowsPanel
      label={strings.tabs.trashed}
      help={report.restored > 0 ? words.restored : words.trashed}
      rows={report.trashed_rows}
      omitted={report.trashed_rows_omitted}
      controls={editing && mayRestore && <TrashChoice editing={editing} />}
      save={save}
      editing={editing}
    />
  )
}

const ON_TRASHED = ['skip', 'restore'] as const

function TrashChoice({ editing: { settings, change } }: { editing: Editing }) {
  return (
    <Group gap="sm">
      <Text size="sm" fw={600}>
        {strings.trashChoice}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={strings.trashChoice}
        value={settings.onTrashed}
        onChange={(onTrashed) => change((before) => ({ ...before, onTrashed }))}
        data={ON_TRASHED.map((value) => ({ value, label: strings.trashChoices[value] }))}
      />
    </Group>
  )
}
