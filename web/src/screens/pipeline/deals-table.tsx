import { Button, Paper, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { formatWord } from '#web/words/format.ts'
import { DealMenu } from './deal-menu.tsx'
import { Probability, StatusBadge } from './deal-values.tsx'
import { type Column, companyNameOf, firstLineOf } from './deals.ts'
import classes from './deals-table.module.css'
import { useOpenDeal } from './use-open-deal.ts'

interface DealsTableProps {
  columns: Column[]
  /** The stages that a deal can move to. */
  stages: string[]
  open: string | undefined
  isCompact: boolean
  move: (deal: Deal, stage: string) => void
}

type Field = 'company' | 'stage' | 'probability' | 'updated_at'
interface Sorting {
  by: Field
  isDescending: boolean
}

const HEADERS = [
  ['company', strings.company, '26%'],
  ['stage', strings.stage, '14%'],
  ['probability', strings.probability, '14%'],
  [null, strings.status, '10%'],
  [null, strings.notes, undefined],
  ['updated_at', strings.updated, '9.5rem'],
] as const
const PAGE_SIZE = 100

/** Deals as a sortable table. */
export function DealsTable({ columns, stages, open, isCompact, move }: DealsTableProps) {
  const [sorting, setSorting] = useState<Sorting>({ by: 'stage', isDescending: false })
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const deals = sorted(columns, sorting)
  const more = Math.min(PAGE_SIZE, deals.length - visibleCount)
  const sort = (by: Field) =>
    setSorting({
      by,
      isDescending: sorting.by === by ? !sorting.isDescending : by === 'probability' || by === 'updated_at',
    })
  return (
    <Paper withBorder>
      <Table.ScrollContainer
        minWidth={860}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': strings.listRegion } }}
      >
        <Table
          highlightOnHover
          layout="fixed"
          verticalSpacing={isCompact ? 4 : 'xs'}
          aria-label={strings.listRegion}
        >
          <Table.Thead>
            <Table.Tr>
              {HEADERS.map(([field, label, width]) => (
                <SortableHeader key={label} {...{ field, label, width, sorting, sort }} />
              ))}
              <Table.Th w="3rem">
                <VisuallyHidden>{strings.actions}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {deals.slice(0, visibleCount).map((deal) => (
              <Row key={deal.id} {...{ deal, stages, move }} isOpen={deal.id === open} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more > 0 && (
        <Button variant="subtle" m="xs" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          {strings.showMore(more)}
        </Button>
      )}
    </Paper>
  )
}

/** By stage, the order is the same as on the board. */
function sorted(columns: Column[], { by, isDescending }: Sorting): Deal[] {
  if (by === 'stage') return (isDescending ? columns.toReversed() : columns).flatMap(({ deals }) => deals)
  const order = isDescending ? -1 : 1
  return columns.flatMap(({ deals }) => deals).sort((one, other) => order * compare(one, other, by))
}

function compare(one: Deal, other: Deal, by: Field): number {
  if (by === 'company') return companyNameOf(one).localeCompare(companyNameOf(other))
  if (by === 'probability') return (one.probability ?? -1) - (other.probability ?? -1)
  return one.updated_at < other.updated_at ? -1 : 1
}

interface HeaderProps {
  field: Field | null
  label: string
  width: string | undefined
  sorting: Sorting
  sort: (by: Field) => void
}

function SortableHeader({ field, label, width, sorting, sort }: HeaderProps) {
  if (!field) return <Table.Th w={width}>{label}</Table.Th>
  const isSorted = sorting.by === field
  const Icon = !isSorted ? IconArrowsSort : sorting.isDescending ? IconArrowDown : IconArrowUp
  const direction = sorting.isDescending ? 'descending' : 'ascending'
  return (
    <Table.Th w={width} aria-sort={isSorted ? direction : 'none'}>
      <UnstyledButton className={classes.header} onClick={() => sort(field)}>
        {label}
        <Icon size={14} aria-hidden style={{ opacity: isSorted ? 1 : 0.5 }} />
      </UnstyledButton>
    </Table.Th>
  )
}

interface RowProps {
  deal: Deal
  stages: string[]
  isOpen: boolean
  move: (deal: Deal, stage: string) => void
}

function Row({ deal, stages, isOpen, move }: RowProps) {
  const openDeal = useOpenDeal()
  return (
    <Table.Tr bg={isOpen ? 'var(--mantine-primary-color-light)' : undefined}>
      <Table.Td>
        <Text size="sm" fw={600} lineClamp={2} className="break-anywhere" dir="auto">
          <ScreenLink to="/companies/$id" params={{ id: deal.company_id }} inherit c="inherit">
            {companyNameOf(deal)}
          </ScreenLink>
        </Text>
      </Table.Td>
      <Table.Td>
        <UnstyledButton
          className={classes.open}
          data-deal={deal.id}
          onClick={() => openDeal(deal.id)}
          aria-label={`${formatWord(deal.stage)}. ${strings.openDeal(companyNameOf(deal))}`}
        >
          {formatWord(deal.stage)}
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <Probability probability={deal.probability} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={deal.status} />
      </Table.Td>
      <Table.Td>
        <Text size="xs" c="dimmed" lineClamp={1} className="break-anywhere" dir="auto">
          {firstLineOf(deal.notes)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Age timestamp={deal.updated_at} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} />
      </Table.Td>
      <Table.Td>
        <DealMenu deal={deal} stages={stages} move={move} />
      </Table.Td>
    </Table.Tr>
  )
}
