import '@mantine/dropzone/styles.css'
import { Alert, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/import.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { InvalidFile, type Preview, readPreview } from './read-preview.ts'

const ACCEPTED = {
  'text/csv': ['.csv'],
  'text/tab-separated-values': ['.tsv'],
  'text/plain': ['.txt'],
  // The type that Windows gives CSV files when a spreadsheet is installed.
  'application/vnd.ms-excel': ['.csv'],
}

/** Takes the file and reads its first rows. */
export function FileStep({ choose }: { choose: (file: File, preview: Preview) => void }) {
  const reading = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (file: File | undefined) => {
      if (!file) throw new InvalidFile(strings.wrongType)
      return { file, preview: await readPreview(file) }
    },
    onSuccess: ({ file, preview }) => choose(file, preview),
  })
  return (
    <Stack gap="md">
      <Dropzone
        onDrop={([file]) => reading.mutate(file)}
        onReject={() => reading.mutate(undefined)}
        accept={ACCEPTED}
        multiple={false}
        loading={reading.isPending}
        inputProps={{ 'aria-label': strings.fileLabel }}
        aria-label={strings.fileLabel}
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
      {reading.isError && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {errorMessage(reading.error)}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {strings.matching} {strings.safeToRepeat}
      </Text>
    </Stack>
  )
}
