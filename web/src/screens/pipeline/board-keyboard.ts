import { type Active, type Announcements, KeyboardCode, type KeyboardCoordinateGetter } from '@dnd-kit/core'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { companyNameOf } from './deals.ts'

const STEPS: Record<string, number> = { [KeyboardCode.Left]: -1, [KeyboardCode.Right]: 1 }

/** Moves between columns with the arrow keys. */
export const nextColumn: KeyboardCoordinateGetter = (event, { context, currentCoordinates }) => {
  const step = STEPS[event.code]
  if (!step) return undefined
  event.preventDefault()
  const columns = [...context.droppableRects].sort(([, one], [, other]) => one.left - other.left)
  const at = columns.findIndex(([id]) => id === context.over?.id)
  const rect = columns[at + step]?.[1]
  if (!rect) return currentCoordinates
  const width = context.collisionRect?.width ?? rect.width
  return { x: rect.left + (rect.width - width) / 2, y: rect.top + 56 }
}

/**
 * Screen reader announcements for dragging a deal.
 * @param labelOf the label of a stage
 */
export function createAnnouncements(labelOf: (stage: string) => string): Announcements {
  const draggedStage = (active: Active) => labelOf(draggedDeal(active)?.stage ?? '')
  let isJustPickedUp = false
  return {
    onDragStart: ({ active }) => {
      isJustPickedUp = true
      return strings.pickedUp(draggedName(active), draggedStage(active))
    },
    onDragOver: ({ active, over }) => {
      // Skips the stage where the deal was picked up, which would cut off the announcement before it.
      const isSaid = isJustPickedUp && over?.id === draggedDeal(active)?.stage
      isJustPickedUp = false
      if (isSaid) return undefined
      return over
        ? strings.isOver(draggedName(active), labelOf(String(over.id)))
        : strings.isOverNothing(draggedName(active))
    },
    onDragEnd: ({ active, over }) =>
      over && over.id !== draggedDeal(active)?.stage
        ? strings.dropped(draggedName(active), labelOf(String(over.id)))
        : strings.stays(draggedName(active), draggedStage(active)),
    onDragCancel: ({ active }) => strings.stays(draggedName(active), draggedStage(active)),
  }
}

export const draggedDeal = (active: Active): Deal | undefined => active.data.current?.deal

const draggedName = (active: Active): string => {
  const deal = draggedDeal(active)
  return deal ? companyNameOf(deal) : ''
}
