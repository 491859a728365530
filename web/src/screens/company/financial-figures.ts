import { strings } from '#strings/company.ts'
import { formatWord } from '#web/format/format.ts'
import { EDITABLE_FIGURES, isEditableFigure } from './hooks/use-financials.ts'
import { asNumber, isRecord } from './type-guards.ts'

export interface YearFigures {
  year: string
  figures: Record<string, unknown>
}

export interface Financials {
  /** Oldest first. */
  years: YearFigures[]
  /** Figure names, editable ones first. */
  names: string[]
  /** Values that belong to no year. */
  others: Record<string, unknown>
}

const YEAR = /^\d{4}$/

/** Reads figures by year from `{"2025": {revenue_eur}}` or a list of `{year, revenue_eur}`. */
export function readFinancials(value: unknown): Financials {
  const entries = Array.isArray(value) ? value.map(byYear) : isRecord(value) ? Object.entries(value) : []
  const years = entries.flatMap(([year, figures]) =>
    YEAR.test(year) && isRecord(figures) ? [{ year, figures }] : [],
  )
  const found = new Set(years.flatMap(({ figures }) => Object.keys(figures)))
  return {
    years: years.toSorted((a, b) => Number(a.year) - Number(b.year)),
    names: [...EDITABLE_FIGURES, ...[...found].filter((name) => !isEditableFigure(name))],
    others: Object.fromEntries(entries.filter(([year, figures]) => !YEAR.test(year) || !isRecord(figures))),
  }
}

function byYear(entry: unknown, index: number): [string, unknown] {
  if (!isRecord(entry) || !YEAR.test(String(entry.year))) return [String(index + 1), entry]
  const { year, ...figures } = entry
  return [String(year), figures]
}

/** The figures that fit into one chart: those in euros. */
export const chartableFigures = ({ years, names }: Financials): string[] =>
  names
    .filter((name) => name.endsWith('_eur') && years.some(({ figures }) => asNumber(figures[name]) !== null))
    .slice(0, 4)

/** The readable name of a figure, without its unit. */
export const figureName = (name: string): string =>
  isEditableFigure(name) ? strings[name] : formatWord(name.replace(/_eur$/, ''))
