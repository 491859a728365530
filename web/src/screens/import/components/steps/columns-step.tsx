import { Anchor, Button, Group, NativeSelect, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { strings } from '#strings/import.ts'
import { useCan } from '#web/api/use-can.ts'
import { fieldOfColumn } from '../../mapping.ts'
import { COLUMNS_ID } from '../../sections.ts'
import type { FieldWords } from '../report/field-words.ts'
import type { ImportedColumn } from '../report/report.ts'
import { type ColumnChoices, FieldChoice } from './field-choice.tsx'

const INITIAL_COLUMNS = 16
/** The list of all sheets is with the file. */
const MAX_SHEETS = 8

interface ColumnsStepProps {
  columns: readonly ImportedColumn[]
  choices: ColumnChoices
  /** Creates a field for each of these columns. */
  createAll: (columns: string[]) => void
  /** The fields with columns that may identify companies. */
  identifying: readonly string[]
  /** The custom field that identifies companies; null: names, websites, and locations do. */
  identifyBy: string | null
  identify: (field: string | null) => void
  words: FieldWords
  /** What to do if no column has what every row needs. */
  nameRequired: string
  /** Whether no column is the name, so that one is to be chosen. */
  isNameMissing: boolean
  otherSheets: readonly string[]
  chooseSheet: (sheet: string) => void
}

/** The columns of the file and the fields they go to. */
export function ColumnsStep({
  columns,
  choices,
  createAll,
  identifying,
  identifyBy,
  identify,
  words,
  nameRequired,
  isNameMissing,
  otherSheets,
  chooseSheet,
}: ColumnsStepProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const mayCreate = useCan('configure') && choices.hasCustomFields
  const unknown = columns.filter(
    ({ name, samples }) => samples.length > 0 && fieldOfColumn(choices.assigned, name) === undefined,
  )
  const shown = isExpanded ? columns : columns.slice(0, INITIAL_COLUMNS)
  return (
    <Paper withBorder component="section" id={COLUMNS_ID} aria-label={strings.columns}>
      <Group justify="space-between" gap="sm" p="md" pb="xs">
        <Stack gap={2} style={{ flex: '1 1 14rem' }}>
          <Title order={2} size="h4">
            {strings.columns}
          </Title>
          {isNameMissing ? (
            <div role="alert">
              <Text size="sm" fw={600}>
                {nameRequired}
              </Text>
              {otherSheets.length > 0 && <OtherSheets sheets={otherSheets} choose={chooseSheet} />}
            </div>
          ) : (
            <Text size="sm" c="dimmed">
              {strings.columnsHelp}
            </Text>
          )}
        </Stack>
        {mayCreate && !isNameMissing && unknown.length > 1 && (
          <Button variant="default" size="xs" onClick={() => createAll(unknown.map(({ name }) => name))}>
            {strings.createFieldsForAll(unknown.length)}
          </Button>
        )}
      </Group>
      <Table layout="fixed" verticalSpacing={6} horizontalSpacing="md" aria-label={strings.columns}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={{ base: '45%', sm: '25%' }}>{strings.column}</Table.Th>
            <Table.Th visibleFrom="sm">{strings.samples}</Table.Th>
            <Table.Th w={{ base: '55%', sm: 300 }}>{strings.field}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((column) => (
            <ColumnRow key={column.name} column={column} choices={choices} />
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < columns.length && (
        <Group p="md" pt="xs">
          <Button variant="default" size="xs" onClick={() => setIsExpanded(true)}>
            {strings.showAllColumns(columns.length)}
          </Button>
        </Group>
      )}
      {identifying.length > 0 && !isNameMissing && (
        <NativeSelect
          size="xs"
          p="md"
          maw="28rem"
          label={strings.identifyBy}
          description={strings.identifyByHelp}
          value={identifyBy ?? ''}
          onChange={(event) => identify(event.currentTarget.value || null)}
          data={[
            { value: '', label: strings.identifyByName },
            ...identifying.map((field) => ({ value: field, label: words.labelOf(field) })),
          ]}
        />
      )}
    </Paper>
  )
}

function OtherSheets({
  sheets,
  choose,
}: {
  sheets: readonly string[]
  choose: ColumnsStepProps['chooseSheet']
}) {
  return (
    <Group gap="4px 12px">
      <Text size="sm">{strings.otherSheets}</Text>
      {sheets.slice(0, MAX_SHEETS).map((sheet) => (
        <Anchor key={sheet} component="button" type="button" size="sm" fw={500} onClick={() => choose(sheet)}>
          {sheet}
        </Anchor>
      ))}
    </Group>
  )
}

function ColumnRow({
  column: { name, samples },
  choices,
}: {
  column: ImportedColumn
  choices: ColumnChoices
}) {
  const shown = samples.slice(0, 3).join(' · ') || strings.noSamples
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} className="break-anywhere">
        <Text size="sm" fw={500} lineClamp={2} dir="auto">
          {name || strings.unnamedColumn}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1} hiddenFrom="sm" dir="auto">
          {shown}
        </Text>
      </Table.Th>
      <Table.Td visibleFrom="sm">
        <Text size="sm" c="dimmed" lineClamp={1} className="break-anywhere" dir="auto">
          {shown}
        </Text>
      </Table.Td>
      <Table.Td>
        <FieldChoice column={name} choices={choices} />
      </Table.Td>
    </Table.Tr>
  )
}
