import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { strings } from '#strings/import.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { Counts } from './counts.tsx'
import type { ImportReport } from './error-report.ts'
import { ErrorsTable } from './errors-table.tsx'

interface ImportResultProps {
  report: ImportReport
  fileName: string
  another: () => void
}

/** The result of an import. */
export function ImportResult({ report, fileName, another }: ImportResultProps) {
  const hasChanged = report.created + report.updated > 0
  return (
    <Paper withBorder p="lg" component="section" aria-label={strings.done}>
      <Stack gap="lg">
        <Alert
          color={hasChanged ? 'teal' : 'gray'}
          icon={<IconCheck aria-hidden />}
          title={strings.done}
          role="status"
          className="break-anywhere"
        >
          {hasChanged ? strings.doneHelp(fileName) : strings.doneNothing(fileName)}
        </Alert>
        <Counts report={report} />
        <Group gap="sm">
          <ScreenButton to="/companies">{strings.viewCompanies}</ScreenButton>
          <Button variant="default" onClick={another}>
            {strings.importAnother}
          </Button>
        </Group>
        {report.failed > 0 && (
          <ErrorsTable title={strings.skippedRows} order={2} report={report} fileName={fileName} />
        )}
        <Text size="sm" c="dimmed">
          {strings.safeToRepeat}
        </Text>
      </Stack>
    </Paper>
  )
}
