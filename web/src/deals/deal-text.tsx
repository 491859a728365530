import { Button, Group, Text } from '@mantine/core'
import { strings as decisions } from '#strings/decisions.ts'
import { strings } from '#strings/timeline.ts'
import { useCan } from '#web/api/use-can.ts'

interface DealTextProps {
  label: string
  text: string
  /** How many lines are shown. */
  lines?: number
  /** Opens a new note with the text. */
  makeNote: (text: string) => void
  /** Opens a new decision with the text. */
  makeDecision: (text: string) => void
}

/** A text that is stored in a deal, such as why it was lost, and what it can become. */
export function DealText({ label, text, lines, ...actions }: DealTextProps) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text
        size="sm"
        dir="auto"
        className="break-anywhere"
        style={{ whiteSpace: 'pre-wrap' }}
        {...(lines !== undefined && { lineClamp: lines })}
      >
        {text}
      </Text>
      <DealTextActions label={label} text={text} {...actions} />
    </div>
  )
}

/** Buttons that make a note or a decision of the text of a deal. The text stays in the deal. */
export function DealTextActions({ label, text, makeNote, makeDecision }: Omit<DealTextProps, 'lines'>) {
  const mayWrite = useCan('write')
  if (!mayWrite || text.trim() === '') return null
  return (
    <Group gap={4} ms={-8} className="print-hidden">
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        fw={400}
        aria-label={strings.makeNoteOf(label)}
        onClick={() => makeNote(text)}
      >
        {strings.makeNote}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        fw={400}
        aria-label={decisions.makeDecisionOf(label)}
        onClick={() => makeDecision(text)}
      >
        {decisions.makeDecision}
      </Button>
    </Group>
  )
}
