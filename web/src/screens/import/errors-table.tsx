import { Alert, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { CustomField } from '#src/client/client.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/import.ts'
import { withLabel } from '#web/fields/custom-values.ts'
import { formatNumber } from '#web/words/format.ts'
import { downloadErrors, type ImportReport } from './error-report.ts'

const INITIAL_ROWS = 10
const PAGE_SIZE = 100

interface ErrorsTableProps {
  title: string
  /** The level of the heading. */
  order?: 2 | 3
  report: ImportReport
  /** The custom fields that messages may name. */
  fields?: readonly CustomField[]
  fileName: string
}

/** The skipped rows, with reasons. */
export function ErrorsTable({ title, order = 3, report, fields = [], fileName }: ErrorsTableProps) {
  const [shown, setShown] = useState(INITIAL_ROWS)
  const { errors, errors_omitted, stopped_at_row } = report
  const remaining = errors.length - shown
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Stack gap={0}>
          <Title order={order} size="h5">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.errorsHelp}
          </Text>
        </Stack>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => downloadErrors(fileName, errors)}
        >
          {strings.download}
        </Button>
      </Group>
      {stopped_at_row !== null && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
          {strings.stoppedAtRow(stopped_at_row)}
        </Alert>
      )}
      <Table layout="fixed" verticalSpacing={6} aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={64}>{strings.row}</Table.Th>
            <Table.Th w={{ base: '28%', sm: '20%' }}>{strings.column}</Table.Th>
            <Table.Th>{strings.message}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {errors.slice(0, shown).map(({ row, column, message }) => (
            <Table.Tr key={`${row} ${column} ${message}`} style={{ verticalAlign: 'top' }}>
              <Table.Td>{formatNumber(row)}</Table.Td>
              <Table.Td className="break-anywhere" dir="auto">
                {column ?? general.none}
              </Table.Td>
              <Table.Td className="break-anywhere" dir="auto">
                {fields.reduce((text, field) => withLabel(field, text), message)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {remaining > 0 && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setShown(shown + PAGE_SIZE)}>
            {strings.showMoreErrors(Math.min(remaining, PAGE_SIZE))}
          </Button>
        </Group>
      )}
      {errors_omitted > 0 && (
        <Text size="sm" c="dimmed">
          {strings.errorsOmitted(errors_omitted)}
        </Text>
      )}
    </Stack>
  )
}
