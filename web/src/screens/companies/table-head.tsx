import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import type { Column } from './columns.tsx'
import type { CompanySort } from './companies-search.ts'
import { SelectPage } from './select-page.tsx'
import classes from './table.module.css'

interface TableHeadProps {
  columns: readonly Column[]
  rows: readonly { id: string }[]
  sort: CompanySort | undefined
  sortBy: (sort: CompanySort | undefined) => void
  isSemantic: boolean
}

/** The column headers. Sortable columns are buttons. */
export function TableHead({ columns, rows, sort, sortBy, isSemantic }: TableHeadProps) {
  const name = { key: 'name', label: strings.company, sort: 'name' as const, isNumber: false }
  const header = (column: Pick<Column, 'key' | 'label' | 'sort' | 'isNumber'>, fixed?: string) => {
    if (!column.sort || isSemantic)
      return (
        <th
          key={column.key}
          scope="col"
          className={classes.heading}
          data-fixed={fixed}
          data-number={column.isNumber || undefined}
        >
          {column.label}
        </th>
      )
    const field = column.sort
    const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
    return (
      <th
        key={column.key}
        scope="col"
        className={classes.heading}
        data-fixed={fixed}
        aria-sort={direction ?? 'none'}
        data-number={column.isNumber || undefined}
      >
        <button
          type="button"
          className={classes.sort}
          data-number={column.isNumber || undefined}
          onClick={() => sortBy(nextSort(field, direction))}
        >
          <span>{column.label}</span>
          <SortIcon direction={direction} />
        </button>
      </th>
    )
  }
  return (
    <thead className={classes.head}>
      <tr>
        <th scope="col" className={classes.heading} data-fixed="select">
          <SelectPage rows={rows} />
        </th>
        {header(name, 'name')}
        {isSemantic && (
          <th scope="col" className={classes.heading} aria-sort="descending">
            {strings.similarity}
          </th>
        )}
        {columns.map((column) => header(column))}
      </tr>
    </thead>
  )
}

/** The first press sorts names ascending and everything else descending; the third returns to the newest first. */
function nextSort(
  field: NonNullable<Column['sort']>,
  direction: 'ascending' | 'descending' | undefined,
): CompanySort | undefined {
  const first = field === 'name' ? 'ascending' : 'descending'
  if (direction === undefined) return first === 'ascending' ? field : `-${field}`
  if (direction === first) return first === 'ascending' ? `-${field}` : field
  return undefined
}

function SortIcon({ direction }: { direction: 'ascending' | 'descending' | undefined }) {
  const Icon =
    direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconArrowsSort
  return <Icon size={14} aria-hidden className={direction ? undefined : classes.idleSort} />
}
