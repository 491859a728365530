import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { strings } from '#strings/import.ts'
import { formatFileSize } from '#web/ui/file-size.ts'
import { SkeletonLines } from '#web/ui/states.tsx'
import { MAX_FILE_NAME_LENGTH } from '../hooks/use-import.ts'
import { importedShare, useRunningImport } from '../hooks/use-running-import.ts'

interface ImportProgressProps {
  file: File
  /** The share of the file that has been uploaded, 0 to 1. */
  uploaded: number
  stop: () => void
}

/** The progress of an import: first of its upload, with a button that stops it, then of the rows. */
export function ImportProgress({ file, uploaded, stop }: ImportProgressProps) {
  const isUploaded = uploaded >= 1
  const running = useRunningImport(file.name.slice(0, MAX_FILE_NAME_LENGTH), isUploaded)
  const imported = running && importedShare(running)
  const share = isUploaded ? (imported ?? 1) : uploaded
  const words = isUploaded ? strings.savingShare(imported) : strings.uploadingShare(uploaded)
  return (
    <Paper withBorder p="lg" component="section" aria-label={strings.importing}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {strings.importing}
        </Title>
        <Progress value={share * 100} animated={share >= 1} size="lg" aria-label={words} />
        <Group justify="space-between" gap="sm">
          <Stack gap={0}>
            <Text size="sm">{words}</Text>
            <Text size="sm" c="dimmed">
              {isUploaded ? strings.mayLeave : strings.keepOpen}
            </Text>
          </Stack>
          {!isUploaded && (
            <Button variant="default" onClick={stop}>
              {strings.stop}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

const LARGE_BYTES = 5 * 1024 * 1024

/**
 * The progress of the first check of a file, until it has results.
 * @param share the share of the file that has been sent, 0 to 1
 */
export function CheckingFile({ size, share }: { size: number; share: number }) {
  const isSent = share >= 1
  const words = isSent
    ? strings.checkingSize(formatFileSize(size))
    : strings.sendingSize(formatFileSize(size * share), formatFileSize(size))
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {words}
        </Text>
        {size >= LARGE_BYTES && (
          <>
            <Progress value={isSent ? 100 : share * 100} animated={isSent} size="sm" aria-label={words} />
            <Text size="sm" c="dimmed">
              {strings.largeFile}
            </Text>
          </>
        )}
        <SkeletonLines lines={6} height={24} />
      </Stack>
    </Paper>
  )
}
