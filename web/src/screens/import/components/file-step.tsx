import '@mantine/dropzone/styles.css'
import { Alert, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { strings } from '#strings/import.ts'

/** The service checks the content. The name only keeps out files that cannot be lists. */
const ACCEPTED = {
  'text/csv': ['.csv'],
  'text/tab-separated-values': ['.tsv'],
  'text/plain': ['.txt'],
  // The first one is also the type that Windows gives CSV files when a spreadsheet is installed.
  'application/vnd.ms-excel': ['.xls', '.csv'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'application/vnd.oasis.opendocument.spreadsheet': ['.ods'],
  'application/gzip': ['.gz'],
  'application/x-gzip': ['.gz'],
}

/** Takes the file to import. */
export function FileStep({ choose }: { choose: (file: File) => void }) {
  const [isRejected, setIsRejected] = useState(false)
  return (
    <Stack gap="md">
      <Dropzone
        onDrop={([file]) => file && choose(file)}
        onReject={() => setIsRejected(true)}
        accept={ACCEPTED}
        multiple={false}
        inputProps={{ 'aria-label': strings.fileLabel }}
        aria-label={strings.fileLabel}
        data-takes-files
        py={64}
      >
        <Stack align="center" gap="xs" ta="center" style={{ pointerEvents: 'none' }}>
          <IconFileSpreadsheet size={40} stroke={1.25} aria-hidden />
          <Text fw={600}>{strings.drop}</Text>
          <Text size="sm" c="dimmed" maw="30rem">
            {strings.dropHelp}
          </Text>
        </Stack>
      </Dropzone>
      {isRejected && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {strings.wrongType}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {strings.matching} {strings.safeToRepeat}
      </Text>
    </Stack>
  )
}
