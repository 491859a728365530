import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import { memo, type Ref } from 'react'
import type { SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import type { TableColumn } from '#web/columns/column.ts'
import { ColumnTable, TableRegion } from '#web/columns/column-table.tsx'
import { rowCells } from '#web/columns/row-cells.tsx'
import selectClasses from '#web/columns/select.module.css'
import { SelectPage } from '#web/columns/select-page.tsx'
import tableClasses from '#web/columns/table.module.css'
import type { ColumnActions } from '#web/columns/use-column-actions.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { NewMark } from '#web/views/new-mark.tsx'
import { useBoard } from '../../board-context.ts'
import { companyNameOf, labelOfStage } from '../../deals.ts'
import { useOpenDeal } from '../../hooks/use-open-deal.ts'
import type { DealsSelected } from '../../hooks/use-selection.ts'
import { DealMenu } from '../deal/deal-menu.tsx'
import type { DealCell } from './deal-columns.tsx'
import classes from './deals-table.module.css'

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
  region: Ref<HTMLDivElement>
  rows: Ref<HTMLTableSectionElement>
}

/** Deals as a table, sorted by the service. */
export function DealsTable(props: DealsTableProps) {
  const { deals, columns, columnActions, selected, open, sort, sortBy, isStale, region, rows } = props
  const { isCompact } = useBoard()
  const mayWrite = useCan('write')
  const count = selected.deals.length
  const share = count === 0 ? 'none' : count < deals.length ? 'some' : 'all'
  const togglePage = () => (share === 'all' ? selected.clear() : selected.add(deals))
  return (
    <TableRegion
      ref={region}
      className={classes.region}
      actions={columnActions}
      tabIndex={0}
      role="region"
      aria-label={strings.listRegion}
      aria-busy={isStale}
      mod={{ stale: isStale, compact: isCompact }}
    >
      <ColumnTable
        label={strings.listRegion}
        columns={columns}
        actions={columnActions}
        sort={sort}
        sortBy={sortBy}
        select={mayWrite && <SelectPage {...{ share, isStale }} toggle={togglePage} />}
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

interface RowProps {
  deal: Deal
  columns: readonly TableColumn<DealCell>[]
  isSelected: boolean
  isOpen: boolean
}

/** Memoized: selecting and opening a deal must not render the other rows. */
const Row = memo(function Row({ deal, columns, isSelected, isOpen }: RowProps) {
  const openDeal = useOpenDeal()
  const mayWrite = useCan('write')
  const { stages, newIds, toggle } = useBoard()
  const name = companyNameOf(deal)
  const stage = {
    label: labelOfStage(stages, deal.stage),
    outcome: stages.find((one) => one.stage === deal.stage)?.outcome ?? null,
  }
  return (
    <tr className={tableClasses.row} data-open={isOpen || undefined}>
      {mayWrite && (
        <td className={tableClasses.cell} data-fixed="select">
          <label className={selectClasses.select}>
            <input
              type="checkbox"
              checked={isSelected}
              onChange={() => toggle?.(deal)}
              aria-label={strings.select(name)}
            />
          </label>
        </td>
      )}
      <td className={tableClasses.cell} data-fixed="first">
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
})
