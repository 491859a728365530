import { Alert, Button, Table, Text } from '@mantine/core'
import { IconDownload, IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { parse } from 'csv-parse/browser/esm/sync'
import { useMemo } from 'react'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/company.ts'
import { queries } from '#web/api/queries.ts'
import { Section } from '#web/ui/section.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { sourceAddress } from '../source-address.ts'

/** The CSV row that the company was imported from. */
export default function ImportedRow({ id }: { id: string }) {
  const file = useQuery(queries.importedRow(id))
  const isMissing = file.error instanceof NotFound
  return (
    <Section
      title={strings.importedRow}
      actions={
        file.data !== undefined && (
          <Button
            component="a"
            href={sourceAddress(id)}
            download
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {strings.downloadCsv}
          </Button>
        )
      }
    >
      {file.isPending && <SkeletonLines lines={10} />}
      {file.isError && !isMissing && <ErrorState error={file.error} retry={() => file.refetch()} />}
      {isMissing && (
        <EmptyState icon={<IconFileOff />} title={strings.notImportedTitle}>
          {strings.notImportedHelp}
        </EmptyState>
      )}
      {file.data !== undefined && <SourceTable text={file.data} />}
    </Section>
  )
}

/** The rows, or none if the text is not CSV. */
function parseRows(text: string): string[][] {
  try {
    return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
  } catch {
    return []
  }
}

function SourceTable({ text }: { text: string }) {
  const [header, ...values] = useMemo(() => parseRows(text), [text])
  if (!header) return <Alert color="orange">{strings.notCsv}</Alert>
  return (
    <>
      <Text size="sm" c="dimmed">
        {strings.sourceHelp}
      </Text>
      <Table layout="fixed" verticalSpacing={6} striped>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="35%">{strings.column}</Table.Th>
            {values.length <= 1 && <Table.Th>{strings.value}</Table.Th>}
            {values.length > 1 &&
              values.map((_row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
                <Table.Th key={index}>{strings.sourceRow(index + 1)}</Table.Th>
              ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {header.map((column, columnIndex) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: column names may repeat
            <Table.Tr key={columnIndex}>
              <Table.Th
                scope="row"
                fw={500}
                style={{ verticalAlign: 'top' }}
                className="break-anywhere"
                dir="auto"
              >
                {column}
              </Table.Th>
              {values.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
                <Table.Td key={index} className="break-anywhere" dir="auto">
                  {row[columnIndex]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}
