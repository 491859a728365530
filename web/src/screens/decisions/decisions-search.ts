import { DECISION_OUTCOMES } from '#src/client/limits.ts'

export const STATES = ['open', 'mine', 'taken'] as const

export interface DecisionsSearch {
  /** `mine`: open ones that ask the signed-in user. */
  state?: (typeof STATES)[number]
  outcome?: (typeof DECISION_OUTCOMES)[number]
  /** The key of a reason. */
  reason?: string
  /** The id of a company. */
  company?: string
  /** Starts at 1. */
  page?: number
}

/** @param search the query of `/decisions`; invalid values are dropped */
export function decisionsSearch(search: Record<string, unknown>): DecisionsSearch {
  const state = STATES.find((known) => known === search.state)
  const outcome = DECISION_OUTCOMES.find((known) => known === search.outcome)
  const { reason, company } = search
  const page = Number(search.page)
  return {
    ...(state && { state }),
    ...(outcome && { outcome }),
    ...(typeof reason === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(reason) && { reason }),
    ...(typeof company === 'string' && company.startsWith('cmp_') && { company }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}
