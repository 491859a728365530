import { lazy, type ReactNode, useCallback, useRef, useState } from 'react'
import type { Deal } from '#web/api/service.ts'
import type { DecisionStart } from '#web/decisions/decision-dialog.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { isIncomplete, type Stage } from '../deals.ts'
import { type MoveDeals, useMoveDeals } from './use-move-deals.ts'

const OutcomeDialog = lazy(async () => ({
  default: (await import('../components/deal/outcome-dialog.tsx')).OutcomeDialog,
}))

const DecisionDialog = lazy(() => import('#web/decisions/decision-dialog.tsx'))

/** Moves deals to a stage. The dialog asks for the outcome of those that were won or lost. */
export function useOutcomes(stages: readonly Stage[]): { move: MoveDeals; dialog: ReactNode } {
  // Moves that each need an answer, in order.
  const [moves, setMoves] = useState<Deal[][]>([])
  const latestStages = useRef(stages)
  latestStages.current = stages
  const askForOutcome = useCallback((deals: Deal[]) => {
    const outcome = latestStages.current.find(({ stage }) => stage === deals[0]?.stage)?.outcome ?? null
    const incomplete = deals.filter((deal) => isIncomplete(deal, outcome))
    if (incomplete.length > 0) setMoves((before) => [...before, incomplete])
  }, [])
  const [moved] = moves
  const answered = () => setMoves((before) => before.filter((one) => one !== moved))
  const move = useMoveDeals(askForOutcome)
  const [decision, decide] = useState<DecisionStart | null>(null)
  const closeDecision = () => decide(null)
  const dialog = moved ? (
    <LazyDialog close={answered}>
      <OutcomeDialog key={moved[0]?.id} deals={moved} stages={stages} decide={decide} close={answered} />
    </LazyDialog>
  ) : (
    decision && (
      <LazyDialog close={closeDecision}>
        <DecisionDialog {...decision} close={closeDecision} />
      </LazyDialog>
    )
  )
  return { move, dialog }
}
