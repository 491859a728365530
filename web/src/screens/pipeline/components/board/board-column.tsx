import { useDroppable } from '@dnd-kit/core'
import { ActionIcon, Button, Text, Title } from '@mantine/core'
import { IconArrowBarToLeft, IconArrowBarToRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useRef } from 'react'
import { strings } from '#strings/pipeline.ts'
import { queries } from '#web/api/queries.ts'
import type { Deal } from '#web/api/service.ts'
import { isFocusFree } from '#web/browser/focus.ts'
import { usePrinting } from '#web/browser/printing.ts'
import { formatNumber } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import type { BoardStage } from '../../deal-cache.ts'
import { COLUMN_PAGE_SIZE, dealsOfColumn, MAX_COLUMN_DEALS, NO_DEALS } from '../../deals.ts'
import { focusOpener } from '../../hooks/use-open-deal.ts'
import type { DealSelection } from '../../pipeline-query.ts'
import { listOfStage } from '../../pipeline-view.ts'
import classes from './board.module.css'
import { DealCard } from './deal-card.tsx'
import { ColumnSums } from './stage-totals.tsx'

/**
 * The height reserved for each card that is not rendered yet. Generous, so that Back can restore the scroll position.
 */
const CARD_HEIGHT_REM = 8.75

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many deals of each stage the board shows after "Show more". Back restores them. */
    cardCounts?: Record<string, number>
  }
}

interface BoardColumnProps {
  column: BoardStage
  selection: DealSelection
  selected: ReadonlySet<string>
  open: string | undefined
  /** The largest number of cards to show for now. */
  cardCount: number
  isCollapsed: boolean
  toggleCollapsed: (stage: string) => void
  onLoad: (stage: string, deals: readonly Deal[]) => void
}

/** A stage with its deals. Counts and sums come from the service, however many deals are loaded. */
export function BoardColumn(props: BoardColumnProps) {
  const { column, toggleCollapsed } = props
  const isPrinting = usePrinting()
  const isCollapsed = props.isCollapsed && !isPrinting
  const { stage, label, deals } = column
  const { setNodeRef, isOver } = useDroppable({ id: stage })
  const id = useId()
  const Icon = isCollapsed ? IconArrowBarToRight : IconArrowBarToLeft
  return (
    <section
      ref={setNodeRef}
      className={classes.column}
      data-stage={stage}
      data-collapsed={isCollapsed || undefined}
      data-over={isOver || undefined}
      aria-labelledby={id}
    >
      <div className={classes.head}>
        <div className={classes.title}>
          <Title
            order={2}
            size="h6"
            id={id}
            lineClamp={isCollapsed ? undefined : 2}
            className={classes.label}
            dir="auto"
          >
            {label}
          </Title>
          <Text span size="xs" c="dimmed" className={classes.count}>
            <span aria-hidden>{formatNumber(deals)}</span>
            <span className={classes.hidden}>{strings.deals(deals)}</span>
          </Text>
          <ActionIcon
            className={classes.collapse}
            variant="subtle"
            color="gray"
            size={24}
            aria-label={isCollapsed ? strings.expand(label) : strings.collapse(label)}
            aria-expanded={!isCollapsed}
            onClick={() => toggleCollapsed(stage)}
          >
            <Icon size={14} aria-hidden />
          </ActionIcon>
        </div>
        {!isCollapsed && <ColumnSums column={column} />}
      </div>
      {!isCollapsed && <Cards {...props} />}
    </section>
  )
}

/** How many deals of a stage the address shows. While the next screen is loading, the number stays. */
function useVisibleCount(stage: string): number {
  const found = useLocation({
    select: ({ pathname, state }) =>
      pathname === '/pipeline' ? (state.cardCounts?.[stage] ?? COLUMN_PAGE_SIZE) : undefined,
  })
  const last = useRef(COLUMN_PAGE_SIZE)
  if (found !== undefined) last.current = found
  return last.current
}

function Cards({ column, selection, selected, open, cardCount, onLoad }: BoardColumnProps) {
  const { stage, outcome, deals: total, records } = column
  const navigate = useNavigate({ from: '/pipeline' })
  const visibleCount = useVisibleCount(stage)
  const more = useQuery({
    ...queries.deals({ ...selection, stage, sort: '-probability,-id', limit: visibleCount }),
    enabled: visibleCount > COLUMN_PAGE_SIZE,
  })
  const loaded = (visibleCount > COLUMN_PAGE_SIZE && more.data?.data) || NO_DEALS
  const deals = useMemo(() => dealsOfColumn(stage, records, loaded), [stage, records, loaded])
  useEffect(() => onLoad(stage, loaded), [stage, loaded, onLoad])
  const before = useRef<ReadonlySet<string>>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const showMore = () => {
    before.current = new Set(deals.map(({ id }) => id))
    const cardCount = Math.min(MAX_COLUMN_DEALS, visibleCount + COLUMN_PAGE_SIZE)
    navigate({
      to: '/pipeline',
      search: true,
      state: (state) => ({ ...state, cardCounts: { ...state.cardCounts, [stage]: cardCount } }),
      replace: true,
      resetScroll: false,
    })
  }
  useEffect(() => {
    const added = before.current && deals.find(({ id }) => !before.current?.has(id))
    if (!added) return
    before.current = undefined
    if (isFocusFree() || document.activeElement === button.current) focusOpener(added.id)
  }, [deals])
  // The focus returns to the open deal when its panel closes.
  const count = Math.max(cardCount, deals.findIndex(({ id }) => id === open) + 1)
  const isFilling = deals.length > count
  const hidden = isFilling ? 0 : Math.max(0, total - deals.length)
  return (
    <div className={classes.body}>
      {total === 0 && (
        <Text size="xs" c="dimmed" ta="center" py="md">
          {strings.emptyColumn}
        </Text>
      )}
      <ul
        className={classes.cards}
        aria-busy={isFilling || undefined}
        style={{ minHeight: isFilling ? `${deals.length * CARD_HEIGHT_REM}rem` : undefined }}
      >
        {deals.slice(0, count).map((deal) => (
          <li key={deal.id}>
            <DealCard
              deal={deal}
              outcome={outcome}
              isOpen={open === deal.id}
              isSelected={selected.has(deal.id)}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Text size="xs" mt="xs" className="print-only">
          {strings.notPrinted(hidden)}
        </Text>
      )}
      {hidden > 0 && visibleCount < MAX_COLUMN_DEALS && (
        <Button
          ref={button}
          variant="subtle"
          size="xs"
          fullWidth
          mt="xs"
          loading={more.isFetching}
          onClick={showMore}
        >
          {strings.showMore(Math.min(COLUMN_PAGE_SIZE, hidden), hidden)}
        </Button>
      )}
      {hidden > 0 && visibleCount >= MAX_COLUMN_DEALS && (
        <Text size="xs" ta="center" mt="xs">
          <ScreenLink
            from="/pipeline"
            to="/pipeline"
            search={(search) => listOfStage(search, stage)}
            inherit
            underline="always"
          >
            {strings.restInList(hidden)}
          </ScreenLink>
        </Text>
      )}
    </div>
  )
}
