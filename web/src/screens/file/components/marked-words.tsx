import { CloseButton, Group, Text } from '@mantine/core'
import { strings } from '#strings/files.ts'

/** The words that are marked, with a button that stops marking them. */
export const MarkedWords = ({ words, stop }: { words: string; stop: () => void }) => (
  <Group gap={4} wrap="nowrap" miw={0}>
    <Text size="sm" c="dimmed">
      {strings.marked}
    </Text>
    <Text size="sm" truncate="end" dir="auto">
      <mark>{words}</mark>
    </Text>
    <CloseButton size="sm" aria-label={strings.stopMarking} onClick={stop} />
  </Group>
)
