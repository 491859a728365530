import { createContext, useContext } from 'react'
import type { Deal } from '#web/api/service.ts'
import type { Stage } from './deals.ts'
import type { MoveDeals } from './hooks/use-move-deals.ts'

/** The data that every card and row needs. It changes rarely, so a change of one deal does not render all cards. */
interface Board {
  /** The stages that deals can be moved to. */
  stages: readonly Stage[]
  move: MoveDeals
  isCompact: boolean
  /** Whether cards show who brought the deal. */
  showsSource: boolean
  /** The deals that are new in the open view. */
  newIds: ReadonlySet<string>
  /** Selects or deselects a deal. */
  toggle?: (deal: Deal) => void
}

export const BoardContext = createContext<Board>({
  stages: [],
  move: () => {},
  isCompact: false,
  showsSource: false,
  newIds: new Set(),
})

export const useBoard = (): Board => useContext(BoardContext)
