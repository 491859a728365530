import { nice, ticks } from 'd3-array'
import { strings } from '#strings/company.ts'
import { formatCompactEuros, formatEuros } from '#web/format/format.ts'
import { chartableFigures, type Financials, figureName } from '../../financial-figures.ts'
import { asNumber } from '../../type-guards.ts'
import classes from './financials-chart.module.css'

const TICKS = 4
/** In a window of 320 pixels. */
const MAX_LABELS = 5

/** A bar chart of the figures in euros, by year. */
export function FinancialsChart({ financials }: { financials: Financials }) {
  const names = chartableFigures(financials)
  const years = financials.years.map(({ year, figures }) => ({
    year,
    bars: names.map((name) => ({ name, value: asNumber(figures[name]) })),
  }))
  const values = years.flatMap(({ bars }) => bars.map(({ value }) => value ?? 0))
  const [lowest, highest] = nice(Math.min(0, ...values), Math.max(1, ...values), TICKS)
  const share = (value: number) => (value - lowest) / (highest - lowest)
  // Years that have no room for their names have every second or third.
  const step = Math.ceil(years.length / MAX_LABELS)
  return (
    <div role="img" aria-label={strings.chartOf(names.map(figureName).join(', '))}>
      <ul className={classes.legend}>
        {names.map((name) => (
          <li key={name}>{figureName(name)}</li>
        ))}
      </ul>
      <div className={classes.plot}>
        {ticks(lowest, highest, TICKS).map((tick) => (
          <div
            key={tick}
            className={classes.line}
            data-zero={tick === 0 || undefined}
            style={{ bottom: percent(share(tick)) }}
          >
            {formatCompactEuros(tick)}
          </div>
        ))}
        {years.map(({ year, bars }) => (
          <div key={year} className={classes.year}>
            {bars.map(({ name, value }) => (
              <span
                key={name}
                {...(value !== null && { title: `${figureName(name)} ${year}: ${formatEuros(value)}` })}
                style={{
                  bottom: percent(share(Math.min(0, value ?? 0))),
                  height: percent(Math.abs(share(value ?? 0) - share(0))),
                }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className={classes.axis}>
        {years.map(({ year }, index) => (
          <span key={year}>{(years.length - 1 - index) % step === 0 && year}</span>
        ))}
      </div>
    </div>
  )
}

const percent = (share: number): string => `${share * 100}%`
