import type { Decision, Question } from './report/report.ts'

/** How rows in conflict are handled: all of them one way, except for these. */
export interface Decisions {
  all: Decision
  rows: Readonly<Record<number, Decision>>
}

export const KEEP_APART: Decisions = { all: 'keep_apart', rows: {} }

export const DECISIONS = ['keep_apart', 'update', 'skip'] as const satisfies readonly Decision[]

export const decisionOf = ({ all, rows }: Decisions, { row }: { row: number }): Decision => rows[row] ?? all

/** What is decided for several questions alike; null if it differs. */
export function commonDecision(decisions: Decisions, questions: readonly Question[]): Decision | null {
  const given = new Set(questions.map((question) => decisionOf(decisions, question)))
  return given.size === 1 ? ([...given][0] ?? null) : null
}

/** Decides for all rows in conflict, those that the report does not list included. */
export const decideAll = (decision: Decision): Decisions => ({ all: decision, rows: {} })

/**
 * Decides for some rows. Then the most frequent decision is the one for all, so that few rows are sent.
 * @param listed all questions of the report
 * @param isComplete whether there are no others: a decision for all would reach those, too
 */
export function decide(
  decisions: Decisions,
  questions: readonly Question[],
  decision: Decision,
  listed: readonly Question[],
  isComplete: boolean,
): Decisions {
  const rows = { ...decisions.rows, ...Object.fromEntries(questions.map(({ row }) => [row, decision])) }
  const changed = { ...decisions, rows }
  const all = isComplete ? mostFrequent(changed, listed) : decisions.all
  const kept = listed
    .map(({ row }) => [row, decisionOf(changed, { row })] as const)
    .filter(([, given]) => given !== all)
  return { all, rows: Object.fromEntries(kept) }
}

function mostFrequent(decisions: Decisions, questions: readonly Question[]): Decision {
  const count = (decision: Decision) =>
    questions.filter((question) => decisionOf(decisions, question) === decision).length
  return DECISIONS.reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best))
}
