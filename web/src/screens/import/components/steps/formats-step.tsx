import { Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { strings } from '#strings/import.ts'
import type { FormatChoice, ImportSettings } from '../../settings.ts'
import type { FieldWords } from '../report/field-words.ts'
import type { ColumnFormat, ImportReport } from '../report/report.ts'
import { ColumnFormatRow } from './column-format-row.tsx'
import { isPlain } from './open-formats.ts'
import { openCell, type RequestedFormat } from './readings.ts'

interface FormatsStepProps {
  report: ImportReport
  choices: ImportSettings['formats']
  change: (column: string, choice: FormatChoice) => void
  words: FieldWords
}

/**
 * How numbers, amounts, and dates are written, with the stored form of some. Questions come first, and stay there once
 * they are answered.
 */
export function FormatsStep({ report, choices, change, words }: FormatsStepProps) {
  const { formats } = report
  const [requested, setRequested] = useState<Readonly<Record<string, RequestedFormat>>>({})
  const open = formats.filter(({ question }) => question !== null)
  // Currencies have a question of their own.
  const added = open.filter(
    ({ column, question }) =>
      (requested[column]?.question ?? 'currency') === 'currency' && question !== requested[column]?.question,
  )
  if (added.length > 0)
    setRequested({
      ...requested,
      ...Object.fromEntries(added.map((format) => [format.column, requestedFormat(format, report)])),
    })
  const isRequested = ({ column }: ColumnFormat) => column in requested
  const others = formats.filter(
    (format) => !isRequested(format) && (format.column in choices || !isPlain(format)),
  )
  const shown = [...formats.filter(isRequested), ...others]
  if (shown.length === 0) return null
  return (
    <Paper withBorder component="section" aria-label={strings.formats}>
      <Stack gap={2} p="md" pb="xs">
        <Title order={2} size="h4">
          {strings.formats}
        </Title>
        <Text size="sm" c="dimmed">
          {open.length > 0 ? strings.formatsOpen(open.length) : strings.formatsHelp}
        </Text>
      </Stack>
      <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((format) => (
          <ColumnFormatRow
            key={format.column}
            format={format}
            requested={requested[format.column]}
            choice={choices[format.column] ?? {}}
            change={(choice) => change(format.column, choice)}
            words={words}
          />
        ))}
      </Stack>
    </Paper>
  )
}

/** The question about a column shows one of the cells that are left blank because of it, or one of the examples. */
function requestedFormat(
  { column, question, examples }: ColumnFormat,
  { bad_cells }: ImportReport,
): RequestedFormat {
  const blank = bad_cells.filter((cell) => cell.column === column).map(({ value }) => value)
  return { question, cell: openCell(question, [...examples.map(({ cell }) => cell), ...blank]) }
}
