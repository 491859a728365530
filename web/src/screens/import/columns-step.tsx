import { Box, Button, NativeSelect, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { strings } from '#strings/import.ts'
import { SkeletonLines } from '#web/ui/states.tsx'
import { formatWord } from '#web/words/format.ts'
import { type AssignedColumns, FIELDS, fieldOfColumn, type ImportField } from './mapping.ts'
import type { Preview } from './read-preview.ts'

const NOT_IMPORTED = ''
const INITIAL_COLUMNS = 40

interface ColumnsStepProps {
  preview: Preview
  assigned: AssignedColumns
  /** True until the service has recognized the columns. */
  isLoading: boolean
  assign: (column: string, field: ImportField | null) => void
}

/** The columns of the file and the fields they go to. */
export function ColumnsStep({ preview, assigned, isLoading, assign }: ColumnsStepProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const columns = useMemo(() => columnsOf(preview), [preview])
  const shown = isExpanded ? columns : columns.slice(0, INITIAL_COLUMNS)
  return (
    <Paper withBorder component="section" aria-label={strings.columns}>
      <Stack gap={2} p="md" pb="xs">
        <Title order={2} size="h4">
          {strings.columns}
        </Title>
        <Text size="sm" c="dimmed">
          {strings.columnsHelp}
        </Text>
      </Stack>
      {isLoading ? (
        <Box p="md">
          <SkeletonLines lines={Math.min(12, columns.length)} height={24} />
        </Box>
      ) : (
        <Table layout="fixed" verticalSpacing={6} horizontalSpacing="md" aria-label={strings.columns}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={{ base: '45%', sm: '25%' }}>{strings.column}</Table.Th>
              <Table.Th visibleFrom="sm">{strings.samples}</Table.Th>
              <Table.Th w={{ base: '55%', sm: 260 }}>{strings.field}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ name, samples }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={500} className="break-anywhere">
                  <Text size="sm" fw={500} lineClamp={2} dir="auto">
                    {name || strings.unnamedColumn}
                  </Text>
                  <Text size="xs" c="dimmed" lineClamp={1} hiddenFrom="sm" dir="auto">
                    {samples || strings.noSamples}
                  </Text>
                </Table.Th>
                <Table.Td visibleFrom="sm">
                  <Text size="sm" c="dimmed" lineClamp={1} className="break-anywhere" dir="auto">
                    {samples || strings.noSamples}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <FieldChoice column={name} assigned={assigned} assign={assign} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {shown.length < columns.length && !isLoading && (
        <Box p="md">
          <Button variant="default" size="xs" onClick={() => setIsExpanded(true)}>
            {strings.showAllColumns(columns.length)}
          </Button>
        </Box>
      )}
    </Paper>
  )
}

interface FieldChoiceProps {
  column: string
  assigned: AssignedColumns
  assign: ColumnsStepProps['assign']
}

function FieldChoice({ column, assigned, assign }: FieldChoiceProps) {
  const field = fieldOfColumn(assigned, column) ?? NOT_IMPORTED
  const sources = assigned[field] ?? []
  const isKnown = field === NOT_IMPORTED || field in strings.fields
  return (
    <NativeSelect
      size="xs"
      aria-label={strings.fieldOf(column || strings.unnamedColumn)}
      value={field}
      onChange={(event) => assign(column, (event.currentTarget.value || null) as ImportField | null)}
      data={[
        { value: NOT_IMPORTED, label: strings.doNotImport },
        ...FIELDS.map((value) => ({ value: value as string, label: strings.fields[value] })),
        ...(isKnown ? [] : [{ value: field, label: formatWord(field) }]),
      ]}
      description={
        sources.length > 1 ? (sources[0] === column ? strings.readFirst : strings.readNext) : undefined
      }
      inputWrapperOrder={['input', 'description']}
      styles={{
        input: field === NOT_IMPORTED ? { color: 'var(--mantine-color-dimmed)' } : { fontWeight: 500 },
      }}
    />
  )
}

interface Column {
  name: string
  samples: string
}

/** The columns, without duplicate names: the service reads only one of each name. */
function columnsOf({ header, rows }: Preview): Column[] {
  const names = [...new Set(header)]
  return names.map((name) => {
    const index = header.indexOf(name)
    const cells = rows.map((row) => row[index]?.trim().slice(0, 120) ?? '').filter((cell) => cell !== '')
    return { name, samples: [...new Set(cells)].slice(0, 3).join(' · ') }
  })
}
