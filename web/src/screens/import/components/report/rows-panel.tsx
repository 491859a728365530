import type { ReactNode } from 'react'
import { strings } from '#strings/import-report.ts'
import type { Editing } from '../../editing.ts'
import { isExcluded } from '../../edits.ts'
import { useKept } from '../../hooks/use-kept.ts'
import { ExcludeButton } from './exclude-button.tsx'
import { ReportList } from './report-list.tsx'
import { RowItem, RowList } from './row-list.tsx'

interface Row {
  row: number
  name: string
  company_id?: string | null
}

interface RowsPanelProps<T extends Row> {
  label: string
  help: ReactNode
  rows: readonly T[]
  omitted: number
  controls?: ReactNode
  save: () => void
  editing?: Editing | undefined
  /** Further details of a row. */
  children?: (row: T) => ReactNode
}

/** Rows with one outcome. Before the import, each can be left out. */
export function RowsPanel<T extends Row>({
  label,
  help,
  rows,
  omitted,
  controls,
  save,
  editing,
  children,
}: RowsPanelProps<T>) {
  const isOut = ({ row }: Row) => editing !== undefined && isExcluded(editing.settings.edits, row)
  const kept = useKept(rows, ({ row }) => String(row), isOut)
  return (
    <ReportList items={kept} omitted={omitted} help={help} controls={controls} save={save}>
      {(shown) => (
        <RowList label={label}>
          {shown.map((row) => (
            <RowItem
              key={row.row}
              row={row.row}
              name={row.name || strings.unnamed}
              companyId={row.company_id ?? null}
              isExcluded={isOut(row)}
              action={editing && <ExcludeButton row={row} editing={editing} />}
            >
              {children?.(row)}
            </RowItem>
          ))}
        </RowList>
      )}
    </ReportList>
  )
}
