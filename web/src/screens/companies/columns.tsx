import { Text } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import { strings as general } from '#strings/general.ts'
import { OwnerCell } from '#web/fields/owner-cell.tsx'
import { TagsCell } from '#web/fields/tags-cell.tsx'
import type { Field } from '#web/filters/use-fields.ts'
import { ScoreBadge } from '#web/ui/score.tsx'
import type { Columns } from '#web/views/column-state.ts'
import { formatCompactEuros } from '#web/words/format.ts'
import {
  age,
  amount,
  type Cell,
  count,
  countryCell,
  customCell,
  day,
  statusCell,
  userText,
  webAddress,
} from './cells.tsx'

export interface Column {
  /** The name of the field in filters, sorts, and views. */
  field: string
  label: string
  /** In pixels, unless the user chose another. */
  width: number
  /** How wide it becomes where there is room, unless the user chose a width. */
  maxWidth?: number
  isNumber?: boolean
  isSortable: boolean
  /** Whether companies may have no value. */
  isOptional: boolean
  /** Whether the first click sorts in descending order. */
  isDescendingFirst: boolean
  cell: Cell
}

/** The first column, which is always pinned and takes the space that others leave. */
export const NAME = 'name'
export const NAME_WIDTH = 190

type BuiltIn = Pick<Column, 'label' | 'width' | 'cell'> & Partial<Column>

const number = { isNumber: true, isDescendingFirst: true }
const thesis: BuiltIn = {
  label: strings.thesis,
  // Sixteen capitals.
  width: 160,
  maxWidth: 220,
  cell: (_company, code) => userText(code),
}

/** How the list shows the fields that every company has. */
const BUILT_IN: Record<string, BuiltIn> = {
  [NAME]: { label: strings.company, width: NAME_WIDTH, cell: ({ name }) => userText(name) },
  llm_score_overall: {
    ...number,
    label: strings.score,
    // With room for the arrow of the sort.
    width: 78,
    cell: ({ llm_score_overall: score }) => (score === null ? null : <ScoreBadge score={score} />),
  },
  status: { label: strings.status, width: 96, cell: statusCell },
  country_code: { label: strings.country, width: 118, maxWidth: 170, cell: countryCell },
  hq_city: { label: strings.city, width: 120, cell: ({ hq_city }) => userText(hq_city) },
  industry_category: {
    label: strings.industry,
    width: 148,
    maxWidth: 200,
    cell: ({ industry_category }) => userText(industry_category),
  },
  thesis_id: thesis,
  thesis_code: thesis,
  owner_email: {
    label: strings.owner,
    width: 96,
    cell: (company) => <OwnerCell company={company} />,
  },
  tags: {
    label: strings.tags,
    width: 160,
    cell: (company) => <TagsCell company={company} max={2} />,
  },
  revenue_eur: {
    ...number,
    label: strings.revenue,
    width: 90,
    cell: ({ revenue_eur }) => amount(revenue_eur, formatCompactEuros),
  },
  employee_count: {
    ...number,
    label: strings.employees,
    width: 108,
    cell: ({ employee_count }) => count(employee_count),
  },
  founded_year: {
    ...number,
    label: strings.founded,
    width: 92,
    cell: ({ founded_year }) => founded_year,
  },
  website: { label: strings.website, width: 160, cell: ({ website }) => webAddress(website) },
  activity_description: {
    label: strings.description,
    width: 280,
    cell: ({ activity_description }) => userText(activity_description),
  },
  country: { label: strings.countryText, width: 140, cell: ({ country }) => userText(country) },
  updated_at: {
    isDescendingFirst: true,
    label: strings.updated,
    width: 128,
    cell: ({ updated_at }) => age(updated_at),
  },
  created_at: {
    isDescendingFirst: true,
    label: strings.created,
    width: 116,
    cell: ({ created_at }) => day(created_at),
  },
  id: { label: strings.id, width: 260, cell: ({ id }) => userText(id) },
}

/** The same column twice would only confuse. */
const NOT_OFFERED = new Set(['thesis_code'])

/** Shown for a missing value. */
export const emptyCell = (
  <Text span inherit c="dimmed">
    {general.none}
  </Text>
)

/** What fits a laptop without scrolling sideways. */
export const DEFAULT_COLUMNS: Columns = [
  'llm_score_overall',
  'status',
  'country_code',
  'industry_category',
  'thesis_id',
  'owner_email',
  'revenue_eur',
].map((field) => ({ field }))

const WIDTHS: Partial<Record<Field['type'], number>> = { long_text: 240, multi_select: 180, boolean: 90 }
const DESCENDING_FIRST: readonly Field['type'][] = ['number', 'money', 'date', 'timestamp']

/**
 * Every column that the list can show, by field.
 * @param fields as the service lists them; undefined while they load, when only built-in columns are known
 */
export function columnsByField(fields: readonly Field[] | undefined): ReadonlyMap<string, Column> {
  const described = new Map(fields?.map((field) => [field.name, field]))
  const builtIn = Object.entries(BUILT_IN).map(
    ([field, column]): Column => ({
      field,
      isDescendingFirst: false,
      ...column,
      isSortable: described.get(field)?.is_sortable ?? true,
      isOptional: !described.get(field)?.required,
    }),
  )
  const custom = (fields ?? []).filter(({ id, archived }) => id !== null && !archived).map(customColumn)
  return new Map([...builtIn, ...custom].map((column) => [column.field, column]))
}

const customColumn = (field: Field): Column => ({
  field: field.name,
  label: field.label,
  width: WIDTHS[field.type] ?? 130,
  isNumber: field.type === 'number' || field.type === 'money',
  isSortable: field.is_sortable,
  // Companies from before the field was required may have none.
  isOptional: true,
  isDescendingFirst: DESCENDING_FIRST.includes(field.type),
  cell: customCell(field),
})

/** The columns that users can choose. The name is always shown. */
export const offeredColumns = (columns: ReadonlyMap<string, Column>): Column[] =>
  [...columns.values()].filter(({ field }) => field !== NAME && !NOT_OFFERED.has(field))
