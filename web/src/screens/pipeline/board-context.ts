import { createContext, useContext } from 'react'
import type { Deal } from '#web/api/service.ts'
import type { Stage } from './deals.ts'
import type { MoveDeals } from './hooks/use-move-deals.ts'

/** What every card and row needs. It changes rarely, so cards are not rendered with every change of a deal. */
interface Board {
  /** The stages that deals can be moved to. */
  stages: readonly Stage[]
  move: MoveDeals
  isCompact: boolean
  /** The deals that are new in the open view. */
  newIds: ReadonlySet<string>
  /** Selects a deal, or no longer. */
  toggle?: (deal: Deal) => void
}

export const BoardContext = createContext<Board>({
  stages: [],
  move: () => {},
  isCompact: false,
  newIds: new Set(),
})

export const useBoard = (): Board => useContext(BoardContext)
