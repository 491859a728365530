import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/import.ts'
import { fieldQueries } from '#web/service/field-queries.ts'
import type { ChosenFile } from './chosen-file.ts'
import { ColumnsStep } from './columns-step.tsx'
import { DryRunStep } from './dry-run-step.tsx'
import { ImportDetached, isAnswerLost } from './import-detached.tsx'
import { ImportFailure } from './import-failure.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportResult } from './import-result.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { assignColumn, type Choice, createField, createFields } from './mapping.ts'
import { useDryRun } from './use-dry-run.ts'
import { useImport } from './use-import.ts'

interface ImportFileProps {
  chosen: ChosenFile
  reset: () => void
}

/** The import of one file, from its columns to the result. */
export function ImportFile({ chosen: { file, preview, key }, reset }: ImportFileProps) {
  const [choice, setChoice] = useState<Choice>({ mapping: {}, assigned: {} })
  const { check, share, isCurrent, isChecking } = useDryRun(file, key, choice.mapping)
  const { importing, share: uploaded, stop, isStopped, hasArrived } = useImport(file)
  const isUntouched = Object.keys(choice.mapping).length === 0
  const assigned = check.data && (isCurrent || isUntouched) ? check.data.columns : choice.assigned
  const fields = useQuery(fieldQueries.fields('company')).data ?? []
  const customFields = useQuery(fieldQueries.customFields('company')).data ?? []
  const taken = new Set(fields.map(({ key }) => key))
  const newFields = check.data?.new_fields ?? []
  const current: Choice = { mapping: choice.mapping, assigned }

  if (importing.isSuccess)
    return <ImportResult report={importing.data} fileName={file.name} another={reset} />
  if (importing.isError && hasArrived && isAnswerLost(importing.error))
    return <ImportDetached another={reset} />
  return (
    <Stack gap="lg">
      <FileCard file={file} reset={reset} isLocked={importing.isPending} />
      {importing.isPending ? (
        <ImportProgress file={file} uploaded={uploaded} stop={stop} />
      ) : (
        <>
          {importing.isError && <ImportFailure error={importing.error} isStopped={isStopped} />}
          <ColumnsStep
            preview={preview}
            choices={{
              ...current,
              customFields: customFields.filter(({ archived }) => !archived),
              newFields,
              assign: (column, field) => setChoice(assignColumn(current, column, field)),
              create: (column, changes) => setChoice(createField(current, column, taken, changes)),
            }}
            createAll={(columns) => setChoice(createFields(current, columns, taken))}
            isLoading={check.isPending}
          />
          <DryRunStep
            check={check}
            fields={[...customFields, ...newFields]}
            share={share}
            isChecking={isChecking}
            fileName={file.name}
            start={() => importing.mutate(choice.mapping)}
            isAgain={importing.isError}
          />
        </>
      )}
      <LeaveDialog isNeeded={importing.isPending && uploaded < 1} />
    </Stack>
  )
}

interface FileCardProps {
  file: File
  reset: () => void
  isLocked: boolean
}

function FileCard({ file, reset, isLocked }: FileCardProps) {
  const kilobytes = Math.max(1, Math.round(file.size / 1024))
  const size =
    kilobytes < 1024 ? strings.kilobytes(kilobytes) : strings.megabytes(Math.round(kilobytes / 102.4) / 10)
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label={strings.file}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" style={{ minWidth: 0, flex: '1 1 12rem' }}>
          <IconFileSpreadsheet size={24} stroke={1.5} aria-hidden style={{ flexShrink: 0 }} />
          <Stack gap={0} style={{ minWidth: 0 }}>
            <Text fw={600} size="sm" className="break-anywhere" lineClamp={2} dir="auto">
              {file.name}
            </Text>
            <Text size="xs" c="dimmed">
              {size}
            </Text>
          </Stack>
        </Group>
        {!isLocked && (
          <Button variant="default" size="xs" onClick={reset}>
            {strings.chooseAnother}
          </Button>
        )}
      </Group>
    </Paper>
  )
}
