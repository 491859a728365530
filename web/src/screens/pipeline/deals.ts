import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { formatWord } from '#web/format/format.ts'
import type { BoardStage } from './deal-cache.ts'

/** How many deals of each stage the board loads at first, and with each "Show more". */
export const COLUMN_PAGE_SIZE = 50
/** The limit of the service for one page. The list shows the others. */
export const MAX_COLUMN_DEALS = 1000

export const companyNameOf = (deal: Deal): string => deal.company_name || strings.noName

/** A stage that deals can be moved to. */
export type Stage = Pick<BoardStage, 'stage' | 'label' | 'outcome'>

/** The label of a stage, which need not be configured. */
export const labelOfStage = (stages: readonly Stage[], key: string): string =>
  stages.find(({ stage }) => stage === key)?.label ?? formatWord(key)

/** The same arrays each time, so that they cause no render. */
export const NO_DEALS: readonly Deal[] = []
export const NO_STAGES: readonly Stage[] = []

/**
 * The deals of a column, most likely first. The order does not depend on the last update, so deals keep their
 * positions.
 */
export function dealsOfColumn(stage: string, ...pages: readonly (readonly Deal[])[]): Deal[] {
  const byId = new Map(pages.flat().map((deal) => [deal.id, deal]))
  return [...byId.values()].filter((deal) => deal.stage === stage).sort(byProbability)
}

const byProbability = (one: Deal, other: Deal): number =>
  (other.probability ?? -1) - (one.probability ?? -1) || (one.id < other.id ? 1 : -1)

const STATUS_OF_STAGE = { won: 'won', lost: 'lost' } as const

/** The status that fits the stage of a deal, or null if the deal has it already. */
export function matchingStatus({ status }: Pick<Deal, 'status'>, outcome: Stage['outcome']): string | null {
  if (outcome) return STATUS_OF_STAGE[outcome] === status ? null : STATUS_OF_STAGE[outcome]
  return status === 'won' || status === 'lost' ? 'active' : null
}

/** Whether a deal that has moved to a stage needs another status, or a reason for its loss. */
export const isIncomplete = (deal: Deal, outcome: Stage['outcome']): boolean =>
  matchingStatus(deal, outcome) !== null || (outcome === 'lost' && deal.lost_reason === null)

const COLORS: Record<string, string> = { won: 'teal', lost: 'red', on_hold: 'gray', active: 'blue' }

export const statusColor = (status: string): string => COLORS[status] ?? 'gray'

export const lowercaseWord = (word: string): string => formatWord(word).toLowerCase()
