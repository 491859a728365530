import { Paper, Progress, Stack, Text } from '@mantine/core'
import { strings } from '#strings/import.ts'
import { SkeletonLines } from '#web/ui/states.tsx'
import { sizeInWords } from '../file-size.ts'

const LARGE_BYTES = 5 * 1024 * 1024

/**
 * The progress of the first check of a file, until there is something to show of it.
 * @param share the share of the file that has been sent, 0 to 1
 */
export function CheckingFile({ size, share }: { size: number; share: number }) {
  const isSent = share >= 1
  const words = isSent
    ? strings.checkingSize(sizeInWords(size))
    : strings.sendingSize(sizeInWords(size * share), sizeInWords(size))
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
