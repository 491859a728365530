import { Box, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { strings } from '#strings/import.ts'
import { useMay } from '#web/service/use-may.ts'
import { SkeletonLines } from '#web/ui/states.tsx'
import { type ColumnChoices, FieldChoice } from './field-choice.tsx'
import { fieldOfColumn } from './mapping.ts'
import type { Preview } from './read-preview.ts'

const INITIAL_COLUMNS = 40

interface ColumnsStepProps {
  preview: Preview
  choices: ColumnChoices
  /** Creates a field for each of these columns. */
  createAll: (columns: string[]) => void
  /** True until the service has recognized the columns. */
  isLoading: boolean
}

/** The columns of the file and the fields they go to. */
export function ColumnsStep({ preview, choices, createAll, isLoading }: ColumnsStepProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const columns = useMemo(() => columnsOf(preview), [preview])
  const mayCreate = useMay('configure')
  const unknown = columns.filter(
    ({ name, samples }) => name && samples && fieldOfColumn(choices.assigned, name) === undefined,
  )
  const shown = isExpanded ? columns : columns.slice(0, INITIAL_COLUMNS)
  return (
    <Paper withBorder component="section" aria-label={strings.columns}>
      <Group justify="space-between" gap="sm" p="md" pb="xs">
        <Stack gap={2}>
          <Title order={2} size="h4">
            {strings.columns}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.columnsHelp}
          </Text>
        </Stack>
        {mayCreate && !isLoading && unknown.length > 1 && (
          <Button variant="default" size="xs" onClick={() => createAll(unknown.map(({ name }) => name))}>
            {strings.createFieldsForAll(unknown.length)}
          </Button>
        )}
      </Group>
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
              <Table.Th w={{ base: '55%', sm: 300 }}>{strings.field}</Table.Th>
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
                  <FieldChoice column={name} choices={choices} />
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
