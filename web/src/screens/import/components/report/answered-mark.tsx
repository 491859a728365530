import { Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { strings } from '#strings/import-report.ts'

/** Marks a question, or all of a kind, as answered. */
export const AnsweredMark = () => (
  <Text span inherit c="teal" ms={6}>
    <IconCheck size={16} aria-hidden style={{ verticalAlign: '-3px' }} />
    <VisuallyHidden>{strings.answered}</VisuallyHidden>
  </Text>
)
