import { Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { strings } from '#strings/companies.ts'
import { strings as general } from '#strings/general.ts'
import type { Company } from '#web/service/service.ts'
import { ScoreBadge } from '#web/ui/score.tsx'
import { countryName } from '#web/words/countries.ts'
import {
  formatAge,
  formatCompactEuros,
  formatDay,
  formatEuros,
  formatMoment,
  formatNumber,
  formatWord,
} from '#web/words/format.ts'
import classes from './table.module.css'

type SortField =
  | 'name'
  | 'llm_score_overall'
  | 'revenue_eur'
  | 'employee_count'
  | 'founded_year'
  | 'updated_at'
  | 'created_at'

export interface Column {
  key: string
  label: string
  /** In pixels. */
  width: number
  isNumber?: boolean
  sort?: SortField
  /** Returns null if the company has no value. */
  cell: (company: Company, thesisCode: string | undefined) => React.ReactNode
}

const userText = (text: string | null | undefined) =>
  text ? (
    <span dir="auto" title={text}>
      {text}
    </span>
  ) : null

export const COLUMNS: readonly Column[] = [
  {
    key: 'score',
    label: strings.score,
    width: 84,
    isNumber: true,
    sort: 'llm_score_overall',
    cell: ({ llm_score_overall: score }) => (score === null ? null : <ScoreBadge score={score} />),
  },
  {
    key: 'status',
    label: strings.status,
    width: 104,
    cell: ({ status }) => (
      <span className={classes.status} data-status={status} title={formatWord(status)}>
        {formatWord(status)}
      </span>
    ),
  },
  {
    key: 'country',
    label: strings.country,
    width: 160,
    cell: ({ country, country_code: code }) =>
      code ? (
        <span title={countryName(code)}>
          {countryName(code)} <span className={classes.dimmed}>{code}</span>
        </span>
      ) : (
        userText(country)
      ),
  },
  { key: 'city', label: strings.city, width: 120, cell: ({ hq_city }) => userText(hq_city) },
  {
    key: 'industry',
    label: strings.industry,
    width: 150,
    cell: ({ industry_category }) => userText(industry_category),
  },
  { key: 'thesis', label: strings.thesis, width: 140, cell: (_company, code) => userText(code) },
  {
    key: 'revenue',
    label: strings.revenue,
    width: 100,
    isNumber: true,
    sort: 'revenue_eur',
    cell: ({ revenue_eur: revenue }) =>
      revenue === null ? null : <span title={formatEuros(revenue)}>{formatCompactEuros(revenue)}</span>,
  },
  {
    key: 'employees',
    label: strings.employees,
    width: 108,
    isNumber: true,
    sort: 'employee_count',
    cell: ({ employee_count: count }) => (count === null ? null : formatNumber(count)),
  },
  {
    key: 'founded',
    label: strings.founded,
    width: 96,
    isNumber: true,
    sort: 'founded_year',
    cell: ({ founded_year: year }) => year,
  },
  {
    key: 'updated',
    label: strings.updated,
    width: 124,
    sort: 'updated_at',
    cell: ({ updated_at: moment }) => <span title={formatMoment(moment)}>{formatAge(moment)}</span>,
  },
  {
    key: 'added',
    label: strings.added,
    width: 124,
    sort: 'created_at',
    cell: ({ created_at: moment }) => <span title={formatMoment(moment)}>{formatDay(moment)}</span>,
  },
]

/** Shown for a missing value. */
export const emptyCell = (
  <Text span inherit c="dimmed">
    {general.none}
  </Text>
)

export const DEFAULT_COLUMNS = COLUMNS.map(({ key }) => key).filter((key) => key !== 'added')

/** The columns that the user has chosen, stored in this browser. */
export function useColumnChoice() {
  return useLocalStorage<string[]>({
    key: 'companies_columns',
    defaultValue: DEFAULT_COLUMNS,
    getInitialValueInEffect: false,
    deserialize: (stored) => {
      try {
        const value: unknown = JSON.parse(stored ?? '')
        return Array.isArray(value) ? value.map(String) : DEFAULT_COLUMNS
      } catch {
        return DEFAULT_COLUMNS
      }
    },
  })
}
