import { Badge, Stack, Table, Text } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import { formatNumber } from '#web/format/format.ts'
import { withoutProtocol } from '#web/format/web-address.ts'
import type { FieldWords } from './field-words.ts'
import { isRepeated } from './repeated-fields.ts'
import type { ImportReport, PreviewRow } from './report.ts'

const COLUMN_WIDTH = 160
const ROW_WIDTH = 60
const NAME_WIDTH = 190
const OUTCOME_WIDTH = 110
const COLORS = { created: 'teal', updated: 'blue', unchanged: 'gray' } as const

/** The first rows as they will be stored. */
export function PreviewPanel({ report, words }: { report: ImportReport; words: FieldWords }) {
  const rows = report.preview
  const records = rows.map(({ company }) => valuesOf(company))
  const fields = fieldsOf(report, records).filter(
    (field) => !records.every((record) => isRepeated(field, (one) => words.textOf(one, record[one]))),
  )
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {strings.previewHelp(rows.length)}
      </Text>
      <Table.ScrollContainer
        minWidth={ROW_WIDTH + NAME_WIDTH + OUTCOME_WIDTH + fields.length * COLUMN_WIDTH}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={strings.tabs.preview}
      >
        <Table layout="fixed" verticalSpacing={5} horizontalSpacing="sm" aria-label={strings.tabs.preview}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={ROW_WIDTH}>{strings.row}</Table.Th>
              <Table.Th w={NAME_WIDTH}>{strings.record}</Table.Th>
              <Table.Th w={OUTCOME_WIDTH}>{strings.outcome}</Table.Th>
              {fields.map((field) => (
                <Table.Th key={field} w={COLUMN_WIDTH}>
                  {words.labelOf(field)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ row, name, outcome }, index) => (
              <Table.Tr key={row}>
                <Table.Td c="dimmed">{formatNumber(row)}</Table.Td>
                <Table.Th scope="row" fw={600}>
                  <PreviewText text={name} />
                </Table.Th>
                <Table.Td>
                  <Badge color={COLORS[outcome]}>{strings.outcomes[outcome]}</Badge>
                </Table.Td>
                {fields.map((field) => (
                  <Table.Td key={field}>
                    <PreviewText text={previewOf(field, words.textOf(field, records[index]?.[field]))} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

const PreviewText = ({ text }: { text: string }) => (
  <Text size="sm" inherit truncate title={text} dir="auto">
    {text}
  </Text>
)

/** The start of an address says more without the protocol. */
const previewOf = (field: string, text: string): string =>
  field === 'website' ? withoutProtocol(text) : text

/** The fields with values, in the order of the columns of the file. */
function fieldsOf({ file }: ImportReport, records: readonly Record<string, unknown>[]): string[] {
  const read = file.columns.flatMap(({ field }) => (field === null ? [] : [field]))
  const present = new Set(records.flatMap((record) => Object.keys(record)))
  present.delete('name')
  return [...new Set([...read, ...present])].filter((field) => present.has(field))
}

/** The values of a company, custom ones under the names of their fields. */
function valuesOf({ custom, ...values }: PreviewRow['company']): Record<string, unknown> {
  const own = typeof custom === 'object' && custom !== null ? Object.entries(custom) : []
  return { ...values, ...Object.fromEntries(own.map(([key, value]) => [`custom.${key}`, value])) }
}
