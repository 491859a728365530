import { Checkbox, Paper, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { Ref } from 'react'
import { joinSort } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { parseSort } from '#web/views/view-state.ts'
import { useBoard } from './board-context.ts'
import { COLUMNS } from './deal-columns.tsx'
import { DealMenu } from './deal-menu.tsx'
import { companyNameOf, labelOfStage } from './deals.ts'
import classes from './deals-table.module.css'
import { useOpenDeal } from './use-open-deal.ts'

interface DealsTableProps {
  deals: readonly Deal[]
  selected: ReadonlySet<string>
  open: string | undefined
  /** As the service takes it. */
  sort: string
  onSort: (sort: string) => void
  rows: Ref<HTMLTableSectionElement>
}

/** Deals as a table, sorted by the service. */
export function DealsTable({ deals, selected, open, sort, onSort, rows }: DealsTableProps) {
  const { isCompact } = useBoard()
  const mayWrite = useMay('write')
  return (
    <Paper withBorder style={{ position: 'relative', overflow: 'hidden' }}>
      <Table.ScrollContainer
        minWidth={1560}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={strings.listRegion}
      >
        <Table
          highlightOnHover
          layout="fixed"
          fz="sm"
          verticalSpacing={isCompact ? 4 : 'xs'}
          aria-label={strings.listRegion}
        >
          <Table.Thead>
            <Table.Tr>
              {mayWrite && (
                <Table.Th w="2.5rem">
                  <VisuallyHidden>{strings.selection}</VisuallyHidden>
                </Table.Th>
              )}
              <SortableHeader field="company_name" label={strings.company} {...{ sort, onSort }} />
              <SortableHeader field="stage" label={strings.stage} width="9rem" {...{ sort, onSort }} />
              {COLUMNS.map(({ cell: _cell, ...column }) => (
                <SortableHeader key={column.field} {...column} {...{ sort, onSort }} />
              ))}
              <Table.Th w="3rem">
                <VisuallyHidden>{strings.actions}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={rows}>
            {deals.map((deal) => (
              <Row key={deal.id} deal={deal} isSelected={selected.has(deal.id)} isOpen={deal.id === open} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

interface HeaderProps {
  field: string
  label: string
  width?: string
  isDescending?: boolean
  isNumber?: boolean
  sort: string
  onSort: (sort: string) => void
}

function SortableHeader({
  field,
  label,
  width,
  isDescending = false,
  isNumber = false,
  sort,
  onSort,
}: HeaderProps) {
  const [key, ...others] = parseSort(sort)
  const isSorted = key?.field === field && others.length === 0
  const isDown = isSorted && key.direction === 'desc'
  const Icon = !isSorted ? IconArrowsSort : isDown ? IconArrowDown : IconArrowUp
  const isNextDown = isSorted ? !isDown : isDescending
  const next = joinSort([{ ...(isSorted && key), field, direction: isNextDown ? 'desc' : 'asc' }])
  return (
    <Table.Th
      w={width}
      ta={isNumber ? 'end' : undefined}
      aria-sort={!isSorted ? 'none' : isDown ? 'descending' : 'ascending'}
    >
      <UnstyledButton className={classes.header} onClick={() => onSort(next)}>
        {label}
        <Icon size={14} aria-hidden style={{ opacity: isSorted ? 1 : 0.5 }} />
      </UnstyledButton>
    </Table.Th>
  )
}

interface RowProps {
  deal: Deal
  isSelected: boolean
  isOpen: boolean
}

function Row({ deal, isSelected, isOpen }: RowProps) {
  const openDeal = useOpenDeal()
  const mayWrite = useMay('write')
  const { stages, toggle } = useBoard()
  const name = companyNameOf(deal)
  const label = labelOfStage(stages, deal.stage)
  const outcome = stages.find(({ stage }) => stage === deal.stage)?.outcome ?? null
  return (
    <Table.Tr bg={isOpen || isSelected ? 'var(--mantine-primary-color-light)' : undefined}>
      {mayWrite && (
        <Table.Td>
          <Checkbox
            size="xs"
            checked={isSelected}
            onChange={() => toggle?.(deal)}
            aria-label={strings.select(name)}
          />
        </Table.Td>
      )}
      <Table.Td>
        <Text size="sm" fw={600} lineClamp={2} className="break-anywhere" dir="auto">
          <ScreenLink to="/companies/$id" params={{ id: deal.company_id }} inherit c="inherit">
            {name}
          </ScreenLink>
        </Text>
      </Table.Td>
      <Table.Td>
        <UnstyledButton
          className={classes.open}
          data-deal={deal.id}
          onClick={() => openDeal(deal.id)}
          aria-label={`${label}. ${strings.openDeal(name)}`}
        >
          <bdi>{label}</bdi>
        </UnstyledButton>
      </Table.Td>
      {COLUMNS.map(({ field, isNumber, cell }) => (
        <Table.Td key={field} ta={isNumber ? 'end' : undefined}>
          {cell(deal, outcome)}
        </Table.Td>
      ))}
      <Table.Td>
        <DealMenu deal={deal} />
      </Table.Td>
    </Table.Tr>
  )
}
