import { Code, Stack, Table, Text } from '@mantine/core'
import { truncate } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { formatEuros, formatNumber, formatWord } from '#web/format/format.ts'
import { isRecord } from '../../type-guards.ts'

const MAX_JSON_LENGTH = 2000

const asJson = (value: unknown): string =>
  truncate(JSON.stringify(value, null, 1) ?? String(value), MAX_JSON_LENGTH)

/** A scalar as text, or undefined for lists and objects. */
export function formatValue(value: unknown, name = ''): string | undefined {
  if (value === null || value === undefined || value === '') return general.none
  if (typeof value === 'number') return name.endsWith('_eur') ? formatEuros(value) : formatNumber(value)
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Any JSON value: lists as lists, objects as tables, deeper levels as JSON. */
export function JsonValue({ value, name = '' }: { value: unknown; name?: string }) {
  const text = formatValue(value, name)
  if (text !== undefined)
    return (
      <Text size="sm" dir="auto" className="break-anywhere">
        {text}
      </Text>
    )
  if (Array.isArray(value) && value.every((item) => formatValue(item) !== undefined))
    return (
      <Stack component="ul" gap={2} m={0} ps="md" fz="sm">
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat, and the order is fixed
          <li key={index} dir="auto" className="break-anywhere">
            {formatValue(item)}
          </li>
        ))}
      </Stack>
    )
  if (isRecord(value))
    return (
      <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} layout="fixed">
        <Table.Tbody>
          {Object.entries(value).map(([key, item]) => (
            <Table.Tr key={key}>
              <Table.Th
                scope="row"
                w="40%"
                fw={500}
                fz="sm"
                className="break-anywhere"
                style={{ verticalAlign: 'top' }}
              >
                {formatWord(key)}
              </Table.Th>
              <Table.Td className="break-anywhere" fz="sm" dir="auto">
                {formatValue(item, key) ?? <Code block>{asJson(item)}</Code>}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )
  return <Code block>{asJson(value)}</Code>
}
