import { Alert, Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { CustomField } from '#src/client/client.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/import.ts'
import { Counts } from './counts.tsx'
import type { ImportReport } from './error-report.ts'
import { ErrorsTable } from './errors-table.tsx'
import { importErrorMessage, isNameColumnMissing } from './import-failure.tsx'
import { NewFields } from './new-fields.tsx'

interface DryRunStepProps {
  check: UseQueryResult<ImportReport>
  /** The custom fields that messages may name. */
  fields: readonly CustomField[]
  /** The share of the file that has been sent, 0 to 1. */
  share: number
  isChecking: boolean
  fileName: string
  start: () => void
  /** Whether an import of this file has already been tried. */
  isAgain: boolean
}

/** The outcome of a dry run, and the button that starts the import. */
export function DryRunStep({ check, fields, share, isChecking, fileName, start, isAgain }: DryRunStepProps) {
  const report = check.data
  const changes = report ? report.created + report.updated : 0
  return (
    <Paper withBorder p="md" component="section" aria-label={strings.preview}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {strings.preview}
        </Title>
        {isChecking && <DryRunProgress share={share} />}
        {check.isError && !isChecking && (
          <Alert
            color="red"
            icon={<IconAlertTriangle aria-hidden />}
            title={strings.cannotImport}
            role="alert"
            className="break-anywhere"
          >
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{importErrorMessage(check.error)}</Text>
              {!isNameColumnMissing(check.error) && (
                <Button size="xs" variant="default" onClick={() => check.refetch()}>
                  {strings.checkAgain}
                </Button>
              )}
            </Stack>
          </Alert>
        )}
        {report && !check.isError && (
          <Stack gap="md" style={{ opacity: isChecking ? 0.5 : 1 }} aria-busy={isChecking}>
            <Counts report={report} />
            <NewFields fields={report.new_fields} />
            <Text size="sm" c="dimmed">
              {strings.matching}
            </Text>
            {report.failed > 0 && (
              <ErrorsTable title={strings.rowsToSkip} report={report} fields={fields} fileName={fileName} />
            )}
          </Stack>
        )}
        <Group justify="flex-end" gap="sm">
          {report && !isChecking && !check.isError && changes === 0 && (
            <Text size="sm">
              {report.failed === 0 ? strings.allUnchanged : report.unchanged > 0 && strings.restUnchanged}
            </Text>
          )}
          <Button onClick={start} disabled={isChecking || check.isError || changes === 0}>
            {changes > 0 || !report
              ? isAgain
                ? strings.importAgain
                : report
                  ? strings.import(changes)
                  : strings.title
              : strings.nothingToImport}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

function DryRunProgress({ share }: { share: number }) {
  const isSent = share >= 1 || share === 0
  return (
    <Stack gap={6} role="status">
      <Text size="sm" c="dimmed">
        {isSent ? strings.checking : strings.checkingShare(share)}
      </Text>
      <Progress value={isSent ? 100 : share * 100} animated={isSent} size="sm" aria-label={general.loading} />
    </Stack>
  )
}
