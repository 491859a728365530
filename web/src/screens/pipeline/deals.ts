import { STAGES } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { formatWord } from '#web/words/format.ts'

export const MAX_DEALS = 1000

/** The query for deals with this status (`all` for any) and, optionally, in this stage. */
export const dealsQuery = (status: string, stage?: string) => ({
  limit: MAX_DEALS,
  ...(status !== 'all' && { status }),
  ...(stage && { stage }),
})

export const companyNameOf = (deal: Deal): string => deal.company_name || strings.noName

export interface Column {
  stage: string
  deals: Deal[]
  /** All deals in the stage, including those not loaded. */
  total: number
  /** The sum of the probabilities, 0 to 1 each. */
  expected: number
}

/** The service's count for a stage. */
interface StageTotal {
  stage: string
  deals: number
  expected: number
}

/**
 * The known stages in order, then any others. Within a stage, most likely first.
 * @param totals if not all deals are loaded
 */
export function columnsOf(deals: Deal[], totals: StageTotal[] = []): Column[] {
  const named = new Set([...deals, ...totals].map(({ stage }) => stage))
  const others = named.difference(new Set<string>(STAGES))
  return [...STAGES, ...[...others].sort()].map((stage) => {
    const inStage = deals.filter((deal) => deal.stage === stage).sort(byProbability)
    const all = totals.find((total) => total.stage === stage)
    return {
      stage,
      deals: inStage,
      total: all?.deals ?? inStage.length,
      expected: all?.expected ?? expectedOf(inStage),
    }
  })
}

const expectedOf = (deals: Deal[]): number =>
  deals.reduce((sum, { probability }) => sum + (probability ?? 0), 0) / 100

/** Does not depend on the last update, so that a deal keeps its place when it is saved. */
const byProbability = (one: Deal, other: Deal): number =>
  (other.probability ?? -1) - (one.probability ?? -1) || (one.id < other.id ? 1 : -1)

/** The first non-blank line of the notes. */
export const firstLineOf = (notes: string | null): string | null =>
  notes
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? null

/** All known stages, and those of the given deals. */
export const stagesOf = (deals: Deal[]): string[] => columnsOf(deals).map(({ stage }) => stage)

const STATUS_OF_STAGE: Record<string, string> = { closed_won: 'won', closed_lost: 'lost' }

/** The status that fits the stage of a deal, or null if the deal has it already. */
export function matchingStatus({ stage, status }: Deal): string | null {
  const fitting = STATUS_OF_STAGE[stage]
  if (fitting) return fitting === status ? null : fitting
  return Object.values(STATUS_OF_STAGE).includes(status) ? 'active' : null
}

const COLORS: Record<string, string> = { won: 'teal', lost: 'red', on_hold: 'gray', active: 'blue' }

export const statusColor = (status: string): string => COLORS[status] ?? 'gray'

export const lowercaseWord = (word: string): string => formatWord(word).toLowerCase()
