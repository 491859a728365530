import {
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { useGrowingCount } from '#web/browser/use-growing-count.ts'
import { useBoard } from '../../board-context.ts'
import { createAnnouncements, draggedDeal, nextColumn } from '../../board-keyboard.ts'
import { useCollapsedStages } from '../../collapsed-stages.ts'
import type { BoardStage } from '../../deal-cache.ts'
import { labelOfStage } from '../../deals.ts'
import { FOCUS_DELAY_MS } from '../../hooks/use-open-deal.ts'
import type { DealsSelected } from '../../hooks/use-selection.ts'
import type { DealSelection } from '../../pipeline-query.ts'
import classes from './board.module.css'
import { BoardColumn } from './board-column.tsx'
import { DealCardOverlay } from './deal-card.tsx'

interface BoardProps {
  columns: readonly BoardStage[]
  selection: DealSelection
  selected: DealsSelected
  /** The deal whose panel is open. */
  open: string | undefined
  /** Shows the cards that have not appeared yet. */
  showAll: Ref<() => void>
  /** The element that scrolls. */
  scroller: Ref<HTMLElement>
  /** Called with the deals of a column that has loaded more of them. */
  onLoad: (stage: string, deals: readonly Deal[]) => void
}

/** How many cards of each column to render first and with each step. */
const GROWTH = { first: 1, step: 2 }
const MOUSE = { activationConstraint: { distance: 6 } }
const TOUCH = { activationConstraint: { delay: 220, tolerance: 8 } }
const KEYBOARD = { coordinateGetter: nextColumn }

/** The column under the pointer, or the nearest one when dragging by keyboard. */
const detectCollision: CollisionDetection = (situation) =>
  situation.pointerCoordinates ? pointerWithin(situation) : closestCenter(situation)

const focusHandle = (id: string) =>
  document.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`)?.focus()

/** The board: deals by stage, moved by dragging. A selected card takes the other selected ones along. */
export function Board({ columns, selection, selected, open, showAll, scroller, onLoad }: BoardProps) {
  const { stages, move } = useBoard()
  const labels = useRef(stages)
  labels.current = stages
  const [announcements] = useState(() => createAnnouncements((stage) => labelOfStage(labels.current, stage)))
  const [dragged, setDragged] = useState<Deal | null>(null)
  const { collapsed, toggle } = useCollapsedStages()
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, KEYBOARD),
  )
  // Changes by others appear after the drop, so that no card moves under the pointer.
  const before = useRef(columns)
  if (!dragged) before.current = columns
  const shown = before.current
  const longest = Math.max(0, ...shown.map(({ records }) => records.length))
  const { count: cardCount, showAll: showAllCards } = useGrowingCount(longest, GROWTH)
  useImperativeHandle(showAll, () => showAllCards, [showAllCards])
  const along = useMemo(
    () => (dragged && selected.ids.has(dragged.id) ? selected.deals : dragged ? [dragged] : []),
    [dragged, selected],
  )
  const drop = ({ active, over, activatorEvent }: DragEndEvent) => {
    setDragged(null)
    if (over) move(along, String(over.id))
    if (activatorEvent instanceof globalThis.KeyboardEvent)
      setTimeout(() => focusHandle(String(active.id)), FOCUS_DELAY_MS)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={detectCollision}
      accessibility={{
        announcements,
        screenReaderInstructions: { draggable: strings.dragInstructions },
      }}
      onDragStart={({ active }) => setDragged(draggedDeal(active) ?? null)}
      onDragEnd={drop}
      onDragCancel={() => setDragged(null)}
    >
      <section
        ref={scroller}
        className={classes.board}
        aria-label={strings.boardRegion}
        data-dragging={dragged ? '' : undefined}
      >
        {shown.map((column) => (
          <BoardColumn
            key={column.stage}
            column={column}
            selection={selection}
            selected={selected.ids}
            open={open}
            cardCount={cardCount}
            isCollapsed={collapsed.includes(column.stage)}
            toggleCollapsed={toggle}
            onLoad={onLoad}
          />
        ))}
      </section>
      <DragOverlay dropAnimation={null}>
        {dragged && <DealCardOverlay deal={dragged} count={along.length} />}
      </DragOverlay>
    </DndContext>
  )
}
