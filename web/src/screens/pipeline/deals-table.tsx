import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import type { Ref } from 'react'
import type { SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import type { TableColumn } from '#web/columns/column.ts'
import { ColumnTable, TableRegion } from '#web/columns/column-table.tsx'
import { rowCells } from '#web/columns/row-cells.tsx'
import select from '#web/columns/select.module.css'
import tableClasses from '#web/columns/table.module.css'
import type { ColumnActions } from '#web/columns/use-column-actions.ts'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { NewMark } from '#web/views/new-mark.tsx'
import { useBoard } from './board-context.ts'
import type { DealCell } from './deal-columns.tsx'
import { DealMenu } from './deal-menu.tsx'
import { companyNameOf, labelOfStage } from './deals.ts'
import classes from './deals-table.module.css'
import { useOpenDeal } from './use-open-deal.ts'
import type { DealsSelected } from './use-selection.ts'

interface DealsTableProps {
  deals: readonly Deal[]
  columns: readonly TableColumn<DealCell>[]
  columnActions: ColumnActions
  selected: DealsSelected
  open: string | undefined
  /** As the service takes it. */
  sort: string
  sortBy: (keys: SortKey[]) => void
  isStale: boolean
  rows: Ref<HTMLTableSectionElement>
}

/** Deals as a table, sorted by the service. */
export function DealsTable(props: DealsTableProps) {
  const { deals, columns, columnActions, selected, open, sort, sortBy, isStale, rows } = props
  const { isCompact } = useBoard()
  const mayWrite = useMay('write')
  return (
    <TableRegion
      actions={columnActions}
      tabIndex={0}
      role="region"
      aria-label={strings.listRegion}
      aria-busy={isStale}
      mod={{ stale: isStale, compact: isCompact, short: true }}
    >
      <ColumnTable
        label={strings.listRegion}
        columns={columns}
        actions={columnActions}
        sort={sort}
        sortBy={sortBy}
        select={mayWrite && <SelectPage deals={deals} selected={selected} isStale={isStale} />}
        last={ACTIONS}
      >
        <tbody ref={rows}>
          {deals.map((deal) => (
            <Row
              key={deal.id}
              deal={deal}
              columns={columns}
              isSelected={selected.ids.has(deal.id)}
              isOpen={deal.id === open}
            />
          ))}
        </tbody>
      </ColumnTable>
    </TableRegion>
  )
}

const ACTIONS = {
  width: 40,
  head: (
    <th scope="col" className={tableClasses.heading}>
      <VisuallyHidden>{strings.actions}</VisuallyHidden>
    </th>
  ),
}

interface SelectPageProps {
  deals: readonly Deal[]
  selected: DealsSelected
  /** Whether the deals are still those of the previous page. They cannot be selected then. */
  isStale: boolean
}

function SelectPage({ deals, selected, isStale }: SelectPageProps) {
  const count = selected.deals.length
  const isAll = count > 0 && count === deals.length
  return (
    <label className={select.select}>
      <input
        type="checkbox"
        aria-label={strings.selectPage}
        aria-disabled={isStale}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll
        }}
        onChange={() => !isStale && (isAll ? selected.clear() : selected.add(deals))}
      />
    </label>
  )
}

interface RowProps {
  deal: Deal
  columns: readonly TableColumn<DealCell>[]
  isSelected: boolean
  isOpen: boolean
}

function Row({ deal, columns, isSelected, isOpen }: RowProps) {
  const openDeal = useOpenDeal()
  const mayWrite = useMay('write')
  const { stages, newIds, toggle } = useBoard()
  const name = companyNameOf(deal)
  const stage = {
    label: labelOfStage(stages, deal.stage),
    outcome: stages.find((one) => one.stage === deal.stage)?.outcome ?? null,
  }
  return (
    <tr className={tableClasses.row} data-open={isOpen || undefined}>
      <td className={tableClasses.cell} data-fixed="select">
        {mayWrite && (
          <label className={select.select}>
            <input
              type="checkbox"
              checked={isSelected}
              onChange={() => toggle?.(deal)}
              aria-label={strings.select(name)}
            />
          </label>
        )}
      </td>
      <td className={tableClasses.cell} data-fixed="name">
        <span className={classes.company}>
          <ScreenLink
            to="/companies/$id"
            params={{ id: deal.company_id }}
            inherit
            c="inherit"
            fw={500}
            truncate
            dir="auto"
            title={name}
          >
            {name}
          </ScreenLink>
          {newIds.has(deal.id) && <NewMark />}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            data-deal={deal.id}
            onClick={() => openDeal(deal.id)}
            title={strings.open}
            aria-label={strings.openDeal(name)}
          >
            <IconLayoutSidebarRightExpand size={16} aria-hidden />
          </ActionIcon>
        </span>
      </td>
      {rowCells(columns, (cell) => cell(deal, stage))}
      <td className={tableClasses.cell}>
        <DealMenu deal={deal} />
      </td>
    </tr>
  )
}
