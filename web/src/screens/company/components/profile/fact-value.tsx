import { Stack, Table, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { strings as general } from '#strings/general.ts'
import { countryName } from '#web/format/countries.ts'
import { formatEuros } from '#web/format/format.ts'
import { BidiText } from '#web/ui/bidi-text.tsx'
import { asNumber, asText, isRecord } from '../../type-guards.ts'
import { JsonValue } from './json-value.tsx'

/** The value of a fact. People, places, and figures are formatted; anything else is shown as it is. */
export function FactValue({ name, value }: { name: string; value: unknown }) {
  if (name === 'founded_year' && typeof value === 'number') return <Text size="sm">{value}</Text>
  if (!Array.isArray(value) || !value.every(isRecord)) return <JsonValue value={value} name={name} />
  if (name === 'financials') return <Figures years={value} />
  const lines = value.map(name === 'locations' ? formatLocation : formatPerson)
  if (lines.some((line) => line === null)) return <JsonValue value={value} name={name} />
  return (
    <Stack component="ul" gap={2} m={0} ps="md" fz="sm">
      {distinct(lines).map((parts) => (
        <li key={parts.join()} className="break-anywhere">
          <BidiText parts={parts} />
        </li>
      ))}
    </Stack>
  )
}

const distinct = (lines: readonly (string[] | null)[]): string[][] => [
  ...new Map(lines.map((parts) => [parts?.join(), parts ?? []])).values(),
]

/** The name and the title. */
function formatPerson(entry: Record<string, unknown>): string[] | null {
  const name = asText(entry.name)
  const title = asText(entry.title)
  return name ? [name, ...(title ? [title] : [])] : null
}

/** The city, the country in words, and whether it is the headquarters. */
function formatLocation(entry: Record<string, unknown>): string[] | null {
  const country = asText(entry.country)
  const parts = [asText(entry.city), country && countryName(country)].filter((part) => part !== null)
  if (parts.length === 0) return null
  return [...parts, ...(entry.is_headquarters === true ? [strings.headquarters] : [])]
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
