import { Button, Group, Stack, Text } from '@mantine/core'
import { strings } from '#strings/import.ts'
import { formatDate, formatNumber } from '#web/format/format.ts'
import type { FormatChoice } from '../../settings.ts'
import { type CellReading, type RequestedFormat, readingsOf } from './readings.ts'

interface FormatQuestionProps {
  column: string
  requested: RequestedFormat
  choice: FormatChoice
  change: (choice: FormatChoice) => void
}

/** A question about an ambiguous value of a column, with the possible answers. */
export function FormatQuestion({
  column,
  requested: { question, cell },
  choice,
  change,
}: FormatQuestionProps) {
  // Questions about currencies appear beside their names.
  if (question === null || question === 'currency') return null
  if (cell === null)
    return (
      <Text size="sm" fw={600}>
        {strings.questions[question]}
      </Text>
    )
  return (
    <Stack gap={6} align="flex-start">
      <Text size="sm" fw={600} className="break-anywhere">
        {strings.whatIs(cell)}
      </Text>
      <Group gap="xs" role="group" aria-label={strings.questionOf(cell, column)}>
        {readingsOf(question, cell).map((reading) => (
          <Button
            key={reading.value}
            size="xs"
            variant={isChosen(reading, choice) ? 'filled' : 'default'}
            aria-pressed={isChosen(reading, choice)}
            onClick={() => change(reading.choice)}
          >
            {textOf(reading)}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

const isChosen = (reading: CellReading, choice: FormatChoice): boolean =>
  'decimal' in reading.choice
    ? reading.choice.decimal === choice.decimal
    : reading.choice.date_order === choice.date_order

const textOf = ({ value }: CellReading): string =>
  typeof value === 'number' ? formatNumber(value) : formatDate(value)
