import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { strings } from '#strings/company.ts'
import { formatCompactEuros, formatEuros } from '#web/words/format.ts'
import { chartableFigures, type Financials, figureName } from './financial-figures.ts'
import { asNumber } from './type-guards.ts'

const COLORS = ['ink.6', 'teal.6', 'orange.6', 'grape.6']
const CHART_HEIGHT = 220

/** A bar chart of the figures in euros, by year. */
export default function FinancialsChart({ financials }: { financials: Financials }) {
  const names = chartableFigures(financials)
  const data = financials.years.map(({ year, figures }) => ({
    year,
    ...Object.fromEntries(names.map((name) => [name, asNumber(figures[name])])),
  }))
  return (
    <div role="img" aria-label={strings.chartOf(names.map(figureName).join(', '))}>
      <BarChart
        h={CHART_HEIGHT}
        data={data}
        dataKey="year"
        series={names.map((name, index) => ({
          name,
          label: figureName(name),
          color: COLORS[index % COLORS.length] as string,
        }))}
        valueFormatter={formatEuros}
        yAxisProps={{ tickFormatter: formatCompactEuros, width: 64 }}
        barProps={{ isAnimationActive: false, maxBarSize: 36 }}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 36, itemSorter: null }}
        accessibilityLayer={false}
      />
    </div>
  )
}
