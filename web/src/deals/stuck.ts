import { type Filter, STUCK_DAYS } from '#src/client/limits.ts'
import type { Deal } from '#web/api/service.ts'

/** Of a stage: null if it is for open deals. */
type Outcome = 'won' | 'lost' | null

const DAY_MS = 24 * 60 * 60_000
const CLOSED_STATUSES = ['won', 'lost']

/** The days of the calendar, in UTC, since the deal entered its stage. */
export const daysInStage = ({ stage_entered_at }: Pick<Deal, 'stage_entered_at'>, now = Date.now()): number =>
  Math.max(0, Math.floor(now / DAY_MS) - Math.floor(Date.parse(stage_entered_at) / DAY_MS))

/** Whether the deal is neither won nor lost, by its status and its stage. Expected wins count only these deals. */
export const canBeWon = ({ status }: Pick<Deal, 'status'>, outcome: Outcome): boolean =>
  outcome === null && !CLOSED_STATUSES.includes(status)

/** Whether the deal has been in its stage for too long. The service counts stuck deals by the same rule. */
export const isStuck = (
  deal: Pick<Deal, 'status' | 'stage_entered_at'>,
  outcome: Outcome,
  now = Date.now(),
): boolean => canBeWon(deal, outcome) && deal.status !== 'on_hold' && daysInStage(deal, now) > STUCK_DAYS

/** The filter that selects stuck deals. */
export const STUCK_FILTER: Filter = { field: 'is_stuck', op: 'eq', value: true }
