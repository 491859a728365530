import { Group, NativeSelect, Radio, Stack, Table, Text } from '@mantine/core'
import { useId } from 'react'
import { truncate } from '#src/client/limits.ts'
import { strings } from '#strings/import.ts'
import { formatNumber } from '#web/format/format.ts'
import type { Reading } from '../../settings.ts'
import type { Delimiter, ImportedFile } from '../report/report.ts'

const MAX_CELLS = 8
const MAX_CELL_LENGTH = 60
const MAX_NAMES = 3

interface ReadingChoicesProps {
  read: ImportedFile
  reading: Reading
  change: (reading: Reading) => void
}

/** The choices for reading the file. Each change checks the file again. */
export function ReadingChoices({ read, reading, change }: ReadingChoicesProps) {
  const { encoding, delimiter, sheet, sheets } = { ...read, ...choicesOf(reading) }
  const names = encoding !== null && namesIn(read)
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-start">
        {encoding !== null && (
          <NativeSelect
            size="xs"
            w={{ base: '100%', xs: 260 }}
            label={strings.encoding}
            value={encoding}
            onChange={(event) => change({ encoding: event.currentTarget.value })}
            data={encodingChoices(encoding)}
          />
        )}
        {delimiter !== null && (
          <NativeSelect
            size="xs"
            w={{ base: '100%', xs: 160 }}
            label={strings.delimiter}
            value={delimiter}
            onChange={(event) => change({ delimiter: event.currentTarget.value as Delimiter })}
            data={Object.entries(strings.delimiters).map(([value, label]) => ({ value, label }))}
          />
        )}
        {sheets.length > 0 && (
          <NativeSelect
            size="xs"
            w={{ base: '100%', xs: 220 }}
            label={strings.sheet}
            value={sheet ?? ''}
            onChange={(event) => change({ sheet: event.currentTarget.value })}
            data={sheets}
          />
        )}
      </Group>
      {names && (
        <Text size="xs" c="dimmed" className="break-anywhere">
          {strings.looksLike(names)}
        </Text>
      )}
      <HeaderChoice
        rows={read.first_rows}
        headerRow={reading.headerRow ?? read.header_row}
        choose={(headerRow) => change({ headerRow })}
      />
    </Stack>
  )
}

/** The choices that apply until the service has confirmed them. */
const choicesOf = ({ encoding, delimiter, sheet }: Reading) => ({
  ...(encoding !== undefined && { encoding }),
  ...(delimiter !== undefined && { delimiter }),
  ...(sheet !== undefined && { sheet }),
})

function encodingChoices(current: string) {
  const known = Object.entries(strings.encodings).map(([value, label]) => ({ value, label }))
  return current in strings.encodings ? known : [{ value: current, label: current }, ...known]
}

/** Some names as they look in this encoding: those with letters that differ between encodings first. */
function namesIn({ columns, first_rows }: ImportedFile): string {
  const names = columns.filter(({ field }) => field === 'name').flatMap(({ samples }) => samples)
  const cells = [...names, ...columns.map(({ name }) => name), ...first_rows.flatMap((row) => row.cells)]
  const telling = cells.filter((cell) => /[^\p{ASCII}]/u.test(cell.slice(0, MAX_CELL_LENGTH)))
  const shown = [...new Set(telling.length > 0 ? telling : names)].slice(0, MAX_NAMES)
  return shown.map((cell) => truncate(cell, MAX_CELL_LENGTH)).join(' · ')
}

interface HeaderChoiceProps {
  rows: ImportedFile['first_rows']
  headerRow: number
  choose: (row: number) => void
}

/** The first rows of the file. Choosing one makes it the one with the column names. */
function HeaderChoice({ rows, headerRow, choose }: HeaderChoiceProps) {
  const group = useId()
  const width = Math.min(MAX_CELLS, Math.max(0, ...rows.map(({ cells }) => cells.length)))
  const isCut = rows.some(({ cells }) => cells.length > MAX_CELLS)
  return (
    <Stack gap={6} role="radiogroup" aria-labelledby={`${group}-label`}>
      <Stack gap={0}>
        <Text size="xs" fw={500} id={`${group}-label`}>
          {strings.headerRow}
        </Text>
        <Text size="xs" c="dimmed">
          {strings.headerHelp}
        </Text>
      </Stack>
      <Radio
        size="xs"
        name={group}
        label={strings.noHeader}
        checked={headerRow === 0}
        onChange={() => choose(0)}
      />
      <Table.ScrollContainer
        minWidth={480}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={strings.firstRows}
      >
        <Table verticalSpacing={4} horizontalSpacing="xs" highlightOnHover withTableBorder fz="xs">
          <Table.Tbody>
            {rows.map(({ row, cells }) => (
              <Table.Tr
                key={row}
                onClick={() => choose(row)}
                style={{ cursor: 'pointer' }}
                {...(row === headerRow && { bg: 'var(--mantine-primary-color-light)', fw: 600 })}
              >
                <Table.Th scope="row" w={64}>
                  <Radio
                    size="xs"
                    name={group}
                    label={formatNumber(row)}
                    aria-label={strings.headerIs(row)}
                    checked={row === headerRow}
                    onChange={() => choose(row)}
                  />
                </Table.Th>
                {Array.from({ length: width }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
                  <Table.Td key={index} maw={180}>
                    <Text size="xs" inherit truncate dir="auto">
                      {truncate(cells[index] ?? '', MAX_CELL_LENGTH)}
                    </Text>
                  </Table.Td>
                ))}
                {isCut && (
                  <Table.Td c="dimmed">
                    {cells.length > MAX_CELLS && strings.moreCells(cells.length - MAX_CELLS)}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
