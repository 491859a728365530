import type { DECISION_OUTCOMES } from '#src/client/limits.ts'
import type { Decision, NewDecision } from '#web/api/service.ts'

export type Outcome = (typeof DECISION_OUTCOMES)[number]

/** A decision as its form has it. */
export interface DecisionText {
  /** null: colleagues vote first. */
  outcome: Outcome | null
  reasons: string[]
  body: string
  asked: string[]
  dealId: string | null
  /** null: now. */
  decidedAt: string | null
  revisitOn: string
}

export const textOf = (decision: Decision): DecisionText => ({
  outcome: decision.outcome,
  reasons: decision.reasons,
  body: decision.body,
  asked: decision.asked,
  dealId: decision.deal_id,
  decidedAt: decision.decided_at,
  revisitOn: decision.revisit_on ?? '',
})

/** What is sent. An open decision has neither a time nor a day to look again. */
export const requestBody = ({ outcome, reasons, body, asked, decidedAt, revisitOn, dealId }: DecisionText) =>
  ({
    ...{ outcome, reasons, body, asked },
    deal_id: dealId,
    ...(outcome !== null && decidedAt !== null && { decided_at: decidedAt }),
    ...(outcome === null && { decided_at: null }),
    revisit_on: outcome !== null && revisitOn !== '' ? revisitOn : null,
  }) satisfies Partial<NewDecision>

/** The day some months after today, in the time zone of the browser. The last day of shorter months. */
export function inMonths(months: number, today = new Date()): string {
  const first = new Date(today.getFullYear(), today.getMonth() + months, 1)
  const lastDay = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  const day = Math.min(today.getDate(), lastDay)
  return localDay(new Date(first.getFullYear(), first.getMonth(), day))
}

/** The day of a time, in the time zone of the browser: `2026-03-01`. */
const localDay = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
