import { Skeleton, Stack, Table, Text } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import { strings } from '#strings/company.ts'
import { formatEuros, formatNumber } from '#web/parts/format.ts'
import { drawable, type Financials as Figures, figureName, readFinancials } from './financial-figures.ts'
import { JsonValue, wordsOf } from './json-value.tsx'
import type { CompanyRecord } from './save-company.ts'
import { Section } from './section.tsx'
import { numberOf } from './shapes.ts'

const FinancialsChart = lazy(() => import('./financials-chart.tsx'))
const CHART_HEIGHT = 220

/** The company's figures: drawn, and as a table. */
export function Financials({ company }: { company: CompanyRecord }) {
  const financials = useMemo(() => readFinancials(company.financials), [company.financials])
  const hasOthers = Object.keys(financials.others).length > 0
  return (
    <Section title={strings.financials}>
      {financials.years.length === 0 && !hasOthers && (
        <Text size="sm" c="dimmed">
          {strings.noFinancials}
        </Text>
      )}
      {drawable(financials).length > 0 && financials.years.length > 1 && (
        <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
          <FinancialsChart financials={financials} />
        </Suspense>
      )}
      {financials.years.length > 0 && <FiguresTable financials={financials} />}
      {hasOthers && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {strings.otherFigures}
          </Text>
          <JsonValue value={financials.others} />
        </Stack>
      )}
    </Section>
  )
}

function FiguresTable({ financials: { years, names } }: { financials: Figures }) {
  return (
    <Table.ScrollContainer
      minWidth={0}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={strings.figuresByYear}
    >
      <Table verticalSpacing={4} style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{strings.year}</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} ta="right">
                {figureName(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {years.toReversed().map(({ year, figures }) => (
            <Table.Tr key={year}>
              <Table.Th scope="row">{year}</Table.Th>
              {names.map((name) => (
                <Table.Td
                  key={name}
                  ta="right"
                  style={{ whiteSpace: numberOf(figures[name]) === null ? 'normal' : 'nowrap' }}
                >
                  <Figure name={name} value={figures[name]} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Figure({ name, value }: { name: string; value: unknown }) {
  const number = numberOf(value)
  if (number === null) return wordsOf(value) ?? <JsonValue value={value} />
  return name.endsWith('_eur') ? formatEuros(number) : formatNumber(number)
}
