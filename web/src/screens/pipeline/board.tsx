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
import { useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import classes from './board.module.css'
import { BoardColumn } from './board-column.tsx'
import { createAnnouncements, draggedDeal, nextColumn } from './board-keyboard.ts'
import { DealCardOverlay } from './deal-card.tsx'
import type { Column } from './deals.ts'

interface BoardProps {
  columns: Column[]
  /** The stages that a deal can move to. */
  stages: string[]
  /** The deal whose panel is open. */
  open: string | undefined
  isCompact: boolean
  move: (deal: Deal, stage: string) => void
}

const MOUSE = { activationConstraint: { distance: 6 } }
const TOUCH = { activationConstraint: { delay: 220, tolerance: 8 } }
const KEYBOARD = { coordinateGetter: nextColumn }

/** The column under the pointer, or the nearest one when dragging by keyboard. */
const detectCollision: CollisionDetection = (situation) =>
  situation.pointerCoordinates ? pointerWithin(situation) : closestCenter(situation)

/** By then, the card has been rendered in its new column as a new element. */
const FOCUS_DELAY_MS = 100
const focusHandle = (id: string) =>
  document.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`)?.focus()

/** The board: deals by stage, moved by dragging. */
export function Board({ columns, stages, open, isCompact, move }: BoardProps) {
  const [announcements] = useState(createAnnouncements)
  const [dragged, setDragged] = useState<Deal | null>(null)
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, KEYBOARD),
  )
  const drop = ({ active, over, activatorEvent }: DragEndEvent) => {
    setDragged(null)
    const deal = draggedDeal(active)
    if (deal && over) move(deal, String(over.id))
    if (activatorEvent instanceof KeyboardEvent)
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
        className={classes.board}
        aria-label={strings.boardRegion}
        data-dragging={dragged ? '' : undefined}
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.stage}
            column={column}
            stages={stages}
            open={open}
            isCompact={isCompact}
            move={move}
          />
        ))}
      </section>
      <DragOverlay dropAnimation={null}>
        {dragged && <DealCardOverlay deal={dragged} isCompact={isCompact} />}
      </DragOverlay>
    </DndContext>
  )
}
