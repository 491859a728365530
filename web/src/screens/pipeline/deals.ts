import { STAGES } from '#src/client/client.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { formatWord } from '#web/words/format.ts'

/** The known statuses of a deal; others may be used. */
export const STATUSES = ['active', 'won', 'lost', 'on_hold'] as const

export const MAX_DEALS = 1000

/** What is asked of the service to show deals of this status, `all`: of any, and of this stage, if one is given. */
export const dealsQuery = (status: string, stage?: string) => ({
  limit: MAX_DEALS,
  ...(status !== 'all' && { status }),
  ...(stage && { stage }),
})

export const companyNameOf = (deal: Deal): string => deal.company_name || strings.noName

export interface Column {
  stage: string
  deals: Deal[]
  /** How many are in the stage, also those that are not among the deals read. */
  total: number
  /** How many can be expected to be won: the sum of the probabilities, of 1 each. */
  expected: number
}

/** What the service counts in a stage. */
interface StageTotal {
  stage: string
  deals: number
  expected: number
}

/**
 * The known stages in their order, then the others; in each the most probable first.
 * @param totals when not all deals were read
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

/** Stays as it is when a deal is saved, so that nothing jumps. */
const byProbability = (one: Deal, other: Deal): number =>
  (other.probability ?? -1) - (one.probability ?? -1) || (one.id < other.id ? 1 : -1)

/** The first line of the notes that is not blank. */
export const firstLineOf = (notes: string | null): string | null =>
  notes
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? null

/** All stages that are known, or that these deals name. */
export const stagesOf = (deals: Deal[]): string[] => columnsOf(deals).map(({ stage }) => stage)

const STATUS_OF_STAGE: Record<string, string> = { closed_won: 'won', closed_lost: 'lost' }

/** The status that goes with the stage that a deal came to, when it is another than the deal has. */
export function matchingStatus({ stage, status }: Deal): string | null {
  const fitting = STATUS_OF_STAGE[stage]
  if (fitting) return fitting === status ? null : fitting
  return Object.values(STATUS_OF_STAGE).includes(status) ? 'active' : null
}

const COLORS: Record<string, string> = { won: 'teal', lost: 'red', on_hold: 'gray', active: 'blue' }

export const statusColor = (status: string): string => COLORS[status] ?? 'gray'

export const lowercaseWord = (word: string): string => formatWord(word).toLowerCase()
