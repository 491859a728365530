import { Stack, Table, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { strings as general } from '#strings/general.ts'
import { formatEuros } from '#web/words/format.ts'
import { JsonValue } from './json-value.tsx'
import { asNumber, asText, isRecord } from './type-guards.ts'

/** The value of a fact. People, places, and figures are formatted; anything else is shown as it is. */
export function FactValue({ name, value }: { name: string; value: unknown }) {
  if (name === 'founded_year' && typeof value === 'number') return <Text size="sm">{value}</Text>
  if (!Array.isArray(value) || !value.every(isRecord)) return <JsonValue value={value} name={name} />
  if (name === 'financials') return <Figures years={value} />
  const lines = value.map(name === 'locations' ? formatLocation : formatPerson)
  if (lines.some((line) => line === null)) return <JsonValue value={value} name={name} />
  return (
    <Stack component="ul" gap={2} m={0} ps="md" fz="sm">
      {[...new Set(lines)].map((line) => (
        <li key={line} dir="auto" className="break-anywhere">
          {line}
        </li>
      ))}
    </Stack>
  )
}

function formatPerson(entry: Record<string, unknown>): string | null {
  const name = asText(entry.name)
  const title = asText(entry.title)
  return name && title ? strings.personWithTitle(name, title) : name
}

function formatLocation(entry: Record<string, unknown>): string | null {
  const parts = [asText(entry.city), asText(entry.country)].filter((part) => part !== null)
  if (parts.length === 0) return null
  const words = parts.join(', ')
  return entry.is_headquarters === true ? strings.headquarters(words) : words
}

const euros = (value: unknown): string => {
  const amount = asNumber(value)
  return amount === null ? general.none : formatEuros(amount)
}

function Figures({ years }: { years: Record<string, unknown>[] }) {
  return (
    <Table
      withRowBorders={false}
      verticalSpacing={1}
      horizontalSpacing={0}
      w="auto"
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th pe="lg">{strings.year}</Table.Th>
          <Table.Th pe="lg" ta="right">
            {strings.revenue_eur}
          </Table.Th>
          <Table.Th ta="right">{strings.ebitda_eur}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {years.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a year may appear twice
          <Table.Tr key={index}>
            <Table.Th scope="row" pe="lg">
              {String(entry.year ?? general.none)}
            </Table.Th>
            <Table.Td pe="lg" ta="right">
              {euros(entry.revenue_eur)}
            </Table.Td>
            <Table.Td ta="right">{euros(entry.ebitda_eur)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
