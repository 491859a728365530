import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { strings } from '#strings/import.ts'
import { strings as held } from '#strings/import-holds.ts'
import { useCan } from '#web/api/use-can.ts'
import { isFocusFree } from '#web/browser/focus.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { CompaniesOfRows } from './holds-card.tsx'
import { hasChanges, type ImportReport } from './report/report.ts'
import { ReportPanels } from './report/report-panels.tsx'

interface ImportResultProps {
  /** With all lists. */
  report: ImportReport
  fileName: string
  another: () => void
}

/** The result of an import, with the same lists as before it, and a way to undo it. */
export function ImportResult({ report, fileName, another }: ImportResultProps) {
  const hasChanged = hasChanges(report)
  const mayUndo = useCan('write')
  const result = useRef<HTMLDivElement>(null)
  // The button that has started it is gone.
  useEffect(() => {
    if (isFocusFree()) result.current?.focus()
  }, [])
  return (
    <Stack gap="lg">
      <Paper withBorder p="lg" component="section" aria-label={strings.done}>
        <Stack gap="md">
          <Alert
            ref={result}
            tabIndex={-1}
            color={hasChanged ? 'teal' : 'gray'}
            icon={<IconCheck aria-hidden />}
            title={strings.done}
            role="status"
            className="break-anywhere"
            style={{ outline: 'none' }}
          >
            {hasChanged ? strings.doneHelp(fileName) : strings.doneNothing(fileName)}
          </Alert>
          {report.companies && (
            <CompaniesOfRows companies={report.companies} holds={report.type ?? 'company'} isDone />
          )}
          <Group gap="sm">
            {report.type === 'person' ? (
              <ScreenButton to="/people">{held.viewPeople}</ScreenButton>
            ) : report.type === 'deal' ? (
              <ScreenButton to="/pipeline">{held.pipeline}</ScreenButton>
            ) : (
              <ScreenButton to="/companies">{strings.viewCompanies}</ScreenButton>
            )}
            {mayUndo && report.action_id !== null && (
              <ScreenButton
                to="/activity/actions/$id"
                params={{ id: report.action_id }}
                variant="default"
                leftSection={<IconArrowBackUp size={16} aria-hidden />}
              >
                {strings.undo}
              </ScreenButton>
            )}
            <Button variant="default" onClick={another}>
              {strings.importAnother}
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            {strings.safeToRepeat}
          </Text>
        </Stack>
      </Paper>
      <ReportPanels title={strings.outcomeAfter} report={report} fileName={fileName} />
    </Stack>
  )
}
